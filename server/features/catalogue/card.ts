import type { Card } from '#contract/catalogue.ts'
import { CARD_DESCRIPTION_LENGTH } from '#contract/limits.ts'
import { scriptSlug } from '#contract/slug.ts'
import { avatarUrl, displayNameOf } from '#server/features/members/avatar.ts'
import { mediaPath } from '#server/features/media/service.ts'
import type { CardRow } from './card-rows.ts'

/** The whole description where it is short, else its beginning and an ellipsis. Counted in characters, not halves of them. */
function beginning(description: string): string {
  if (description.length <= CARD_DESCRIPTION_LENGTH) return description
  const characters = Array.from(description.slice(0, CARD_DESCRIPTION_LENGTH * 2)).slice(0, CARD_DESCRIPTION_LENGTH)
  return `${characters.join('')}…`
}

/** The one function that makes a card for the world from a row. */
export function toCard(row: CardRow, discordCdnUrl: string): Card {
  const { display_name, image, profile_image, created_at, updated_at, showcase_date, ...plain } = row
  return {
    ...plain,
    slug: scriptSlug(row.title, row.id),
    description: beginning(row.description),
    image: image ? mediaPath(image, 'full') : '',
    image_card: image ? mediaPath(image, 'card') : '',
    is_showcased: showcase_date !== null,
    author_name: displayNameOf({ display_name, username: row.username }),
    author_avatar: avatarUrl(row, discordCdnUrl),
    profile_image: profile_image ? mediaPath(profile_image, 'card') : null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    showcase_date: showcase_date?.toISOString() ?? null,
  }
}
