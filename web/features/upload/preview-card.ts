import type { CurrentUser } from '#contract/accounts.ts'
import type { Card } from '#contract/catalogue.ts'
import type { ScriptValues } from '#web/components/script-form/values.ts'

/** A draft as the card that it would be, were it published now. */
export function previewCard(values: ScriptValues, image: string, author: CurrentUser): Card {
  const now = new Date().toISOString()
  return {
    id: 0,
    slug: '',
    title: values.title.trim() || 'Your title',
    description: values.description,
    version: values.version,
    image,
    image_card: image,
    tags: values.tags.map((name, index) => ({ id: index, name, color: '' })),
    has_key_system: values.has_key_system,
    key_system_url: values.key_system_url || null,
    is_universal: values.is_universal,
    game_id: values.game_id || null,
    is_client_side: values.is_client_side,
    is_free: values.is_free,
    is_featured: false,
    is_verified: false,
    is_public: values.is_public,
    is_showcased: false,
    is_mobile_compatible: values.is_mobile_compatible,
    is_working: values.is_working,
    author_id: author.id,
    author_name: author.username,
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
    file_size: 0,
    created_at: now,
    updated_at: now,
    showcase_date: null,
    showcase_video_url: null,
    showcase_notes: null,
  }
}
