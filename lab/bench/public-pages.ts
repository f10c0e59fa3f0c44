import type { ScriptList } from '#contract/catalogue.ts'
import type { CollectionSummary } from '#contract/collections.ts'
import type { Giveaway } from '#contract/giveaways.ts'
import type { Profile } from '#contract/members.ts'

const COLLECTOR = 'kestrel_'

/** Every public page of a site with the demo catalogue; of those there are many of, one each. */
export async function findPublicPages(origin: string): Promise<string[]> {
  const ask = async <T>(call: string) => (await fetch(`${origin}/api/${call}`)).json() as Promise<T>
  const { scripts } = await ask<ScriptList>('scripts?sort=rating_average&limit=1')
  const { data } = await ask<{ data: { giveaways: Giveaway[] } }>('giveaways')
  const { profile } = await ask<{ profile: Profile }>(`user-profiles?user_id=${COLLECTOR}`)
  const { collections } = await ask<{ collections: CollectionSummary[] }>(`collections?user_id=${profile.user_id}`)
  const [script] = scripts
  const drawn = data.giveaways.find(({ drawn_at }) => drawn_at)
  return [
    '/',
    `/scripts?tags=${encodeURIComponent(script?.tags[0]?.name ?? '')}`,
    `/scripts/${script?.slug}`,
    `/profile/${script?.author_slug}`,
    `/profile/${script?.author_slug}?tab=scripts`,
    `/collections/${collections[0]?.slug}`,
    '/popular',
    '/showcases',
    '/giveaways',
    `/giveaways/${drawn?.id}/draw`,
    '/behavior',
    '/discord',
    '/rules',
    '/privacy',
    '/terms',
    '/api/docs',
  ]
}
