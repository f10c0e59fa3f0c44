import KeyRound from 'lucide-react/icons/key-round'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { useDeferredValue, useState } from 'react'
import type { CurrentUser } from '#contract/accounts.ts'
import type { Card } from '#contract/catalogue.ts'
import { defaultSummary } from '#contract/summary.ts'
import { MarkdownText } from '#web/shared/markdown/markdown-text.tsx'
import { propertiesOf } from '#web/shared/cards/script-badges.ts'
import { ScriptCard } from '#web/shared/cards/script-card.tsx'
import { ScriptCover } from '#web/shared/cards/script-cover.tsx'
import { imageUrl } from './script-fields.tsx'
import type { ScriptValues } from './values.ts'
import { TagChip } from '#web/ui/tag-chip.tsx'
import { useSession } from '#web/lib/session.tsx'

type View = 'card' | 'page'
const views: Record<View, string> = { card: 'Card', page: 'Page' }

/** A live preview of the script's card and page. Its links and buttons are inert. */
export function ScriptPreview({ values }: { values: ScriptValues }) {
  const shown = useDeferredValue(values)
  const image = imageUrl(shown.image)
  const session = useSession()
  const [view, setView] = useState<View>('card')
  if (session.status !== 'member') return null
  const card = previewCard(shown, image, session.user)
  return (
    <aside aria-labelledby="preview-heading" className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-20">
      <div className="flex items-center justify-between gap-4">
        <h2 id="preview-heading" className="text-base font-semibold">
          Preview
        </h2>
        <fieldset className="flex rounded-sm border border-line bg-surface-1 p-0.5">
          <legend className="sr-only">Preview type</legend>
          {Object.entries(views).map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setView(name as View)}
              className="min-h-11 rounded-sm px-3 text-muted hover:text-text aria-pressed:bg-surface-3 aria-pressed:font-medium aria-pressed:text-text sm:min-h-8"
            >
              {label}
            </button>
          ))}
        </fieldset>
      </div>
      <div inert className="max-w-sm lg:max-w-none">
        {view === 'card' ? <ScriptCard card={card} hasFavorite={false} /> : <PagePreview card={card} values={shown} />}
      </div>
    </aside>
  )
}

/** The top of the script page, smaller. */
function PagePreview({ card, values: { description, screenshots } }: { card: Card; values: ScriptValues }) {
  return (
    <article className="flex min-w-0 flex-col gap-4 rounded-md border border-line bg-surface-1 p-4">
      <h3 dir="auto" className="text-xl leading-tight font-semibold wrap-anywhere">
        <bdi>{card.title}</bdi>
      </h3>
      <ul className="flex flex-wrap gap-1.5">
        {propertiesOf(card).map((label) => (
          <li
            key={label}
            className="inline-flex min-h-6 items-center rounded-sm bg-surface-2 px-2 text-xs font-medium text-muted"
          >
            {label}
          </li>
        ))}
      </ul>
      <div className="aspect-video overflow-hidden rounded-sm border border-line bg-surface-2">
        <ScriptCover title={card.title} src={card.image} width={640} height={360} isEager />
      </div>
      <div className="max-h-80 overflow-hidden">
        {description.trim() ? <MarkdownText text={description} /> : <p className="text-muted">Your description</p>}
      </div>
      {screenshots.length > 0 && (
        <ul className="grid grid-cols-3 gap-2">
          {screenshots.map((screenshot) => (
            <li key={imageUrl(screenshot.image)} className="aspect-video overflow-hidden rounded-sm bg-surface-2">
              <img src={imageUrl(screenshot.image)} alt={screenshot.alt} className="size-full object-cover" />
            </li>
          ))}
        </ul>
      )}
      {card.tags.length > 0 && (
        <ul className="flex flex-wrap gap-1.5 text-xs">
          {card.tags.map(({ name }) => (
            <li key={name} className="max-w-full">
              <TagChip name={name} className="min-h-6" />
            </li>
          ))}
        </ul>
      )}
      {card.has_key_system && (
        <p className="flex items-center gap-2 text-muted">
          <KeyRound aria-hidden className="size-4 text-warning" />
          This script uses a key system
        </p>
      )}
      {!card.is_working && (
        <p className="flex items-center gap-2 text-muted">
          <TriangleAlert aria-hidden className="size-4 text-warning" />
          Not working
        </p>
      )}
    </article>
  )
}

/** The card that the script would have if it were published now. */
function previewCard(values: ScriptValues, image: string, author: CurrentUser): Card {
  const now = new Date().toISOString()
  return {
    id: 0,
    slug: '',
    title: values.title.trim() || 'Your title',
    summary: values.summary.trim() || defaultSummary(values.description),
    description: values.description,
    version: values.version,
    image,
    image_card: image,
    tags: values.tags.map((name, index) => ({ id: index, name, color: '' })),
    has_key_system: values.has_key_system,
    key_system_url: values.key_system_url || null,
    is_universal: values.is_universal,
    game_id: values.game_id || null,
    game_name: values.game_name.trim() || null,
    is_client_side: values.is_client_side,
    is_free: values.is_free,
    is_featured: false,
    is_verified: false,
    is_public: values.is_public,
    is_unlisted: values.is_unlisted,
    is_showcased: false,
    is_mobile_compatible: values.is_mobile_compatible,
    is_working: values.is_working,
    author_id: author.id,
    author_name: author.display_name || author.username,
    author_slug: author.slug,
    author_avatar: author.avatar_url,
    username: author.username,
    profile_image: author.profile_image,
    discord_id: author.discord_id,
    avatar: author.avatar,
    discriminator: author.discriminator,
    rating_average: 0,
    rating_count: 0,
    view_count: 0,
    download_count: 0,
    favorite_count: 0,
    file_size: 0,
    created_at: now,
    updated_at: now,
    showcase_date: null,
    showcase_video_url: null,
    showcase_notes: null,
    warning: null,
  }
}
