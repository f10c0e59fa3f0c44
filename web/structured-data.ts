// What pages tell search engines, as JSON-LD with the vocabulary of schema.org. Only the server needs it.
import type {
  BreadcrumbList,
  Graph,
  Organization,
  Person,
  ProfilePage,
  SearchAction,
  SoftwareSourceCode,
  Thing,
  WebSite,
} from 'schema-dts'
import type { Site } from '#contract/site.ts'
import type { FoundProfile } from '#web/features/members/found-profile.ts'
import { displayNameOf } from '#web/features/members/profile-url.ts'
import type { FoundScript, ScriptDetails } from '#web/features/script/script-details.ts'
import type { LoadedData } from '#web/router/routes.ts'
import type { RootData } from '#web/lib/root-data.ts'

const BROWSE = 'web/features/browse/browse-page.tsx'
const SCRIPT = 'web/features/script/script-page.tsx'
const PROFILE = 'web/features/members/profile-page.tsx'

/** The JSON-LD of a page, from the data of its routes by id; undefined for a page without any. */
export function structuredData(loaderData: LoadedData['loaderData'], pathname: string): Graph | undefined {
  const site = (loaderData['root'] as RootData | undefined)?.site
  if (!site) return undefined
  const things = describePage(loaderData, site, pathname)
  return things.length > 0 ? { '@context': 'https://schema.org', '@graph': things } : undefined
}

function describePage(loaderData: LoadedData['loaderData'], site: Site, pathname: string): Thing[] {
  if (loaderData[BROWSE] && pathname === '/') return [describeSite(site)]
  const details = loaderData[SCRIPT] as FoundScript | undefined
  if (details && 'script' in details && details.script.is_public && !details.script.is_unlisted) {
    return describeScript(details, site)
  }
  const member = loaderData[PROFILE] as FoundProfile | { state: 'missing' | 'failed' } | undefined
  if (member?.state === 'found' && !member.profile.is_hidden) return describeProfile(member, site)
  return []
}

function describeSite({ name, public_url, look }: Site): WebSite {
  const search: Only<SearchAction, 'SearchAction'> & Record<'query-input', string> = {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${public_url}/?search={search_term_string}&sort=relevance` },
    // Google's name for the parameter, which the types do not know.
    'query-input': 'required name=search_term_string',
  }
  const logo = `${public_url}${look.icons ?? '/icon-'}512.png`
  const publisher: Only<Organization, 'Organization'> = { '@type': 'Organization', name, url: `${public_url}/`, logo }
  return { '@type': 'WebSite', name, url: `${public_url}/`, publisher, potentialAction: search }
}

function describeScript({ script, description }: ScriptDetails, site: Site): [SoftwareSourceCode, BreadcrumbList] {
  const url = `${site.public_url}/scripts/${encodeURIComponent(script.slug)}`
  const code: SoftwareSourceCode = {
    '@type': 'SoftwareSourceCode',
    '@id': url,
    url,
    name: script.title,
    abstract: script.summary,
    description: description.description || script.summary,
    programmingLanguage: { '@type': 'ComputerLanguage', name: 'Luau' },
    version: script.version,
    dateCreated: script.created_at,
    datePublished: script.created_at,
    dateModified: script.updated_at,
    keywords: script.tags.map((tag) => tag.name),
    isAccessibleForFree: script.is_free,
    author: describePerson(site, { name: script.author_name, slug: script.author_slug }),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: { '@type': 'DownloadAction' },
      userInteractionCount: script.download_count,
    },
    ...(script.image ? { image: absolute(site, script.image) } : {}),
    ...(script.license ? { license: `https://spdx.org/licenses/${encodeURIComponent(script.license)}.html` } : {}),
    ...(script.is_free ? { offers: { '@type': 'Offer', price: 0, priceCurrency: 'USD' } } : {}),
    // A rating without votes would be wrong.
    ...(script.rating_count > 0
      ? {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: script.rating_average,
            ratingCount: script.rating_count,
            bestRating: 5,
            worstRating: 1,
          },
        }
      : {}),
  }
  return [code, describeBreadcrumbs(site, [script.title, url])]
}

function describeProfile({ profile, bio }: FoundProfile, site: Site): [ProfilePage, BreadcrumbList] {
  const person = describePerson(site, { name: displayNameOf(profile), slug: profile.slug })
  const image = profile.profile_image ?? profile.avatar_url
  const page: Only<ProfilePage, 'ProfilePage'> = {
    '@type': 'ProfilePage',
    url: person.url ?? '',
    ...(profile.created_at ? { dateCreated: profile.created_at } : {}),
    mainEntity: {
      ...person,
      alternateName: profile.username,
      ...(image ? { image: absolute(site, image) } : {}),
      ...(bio?.description ? { description: bio.description } : {}),
    },
  }
  return [
    page,
    describeBreadcrumbs(site, [
      displayNameOf(profile),
      `${site.public_url}/profile/${encodeURIComponent(profile.slug)}`,
    ]),
  ]
}

/** One type of a union: comparing a value with all subtypes, as with `Organization`, takes TypeScript a second. */
type Only<Union, Name extends string> = Extract<Union, { '@type': Name }>

type KnownPerson = Only<Person, 'Person'> & { url?: string }

function describePerson({ public_url }: Site, { name, slug }: { name: string; slug: string }): KnownPerson {
  const url = `${public_url}/profile/${encodeURIComponent(slug)}`
  return { '@type': 'Person', '@id': url, url, name }
}

/** The breadcrumbs of a page below the list of scripts. */
const describeBreadcrumbs = ({ public_url }: Site, [name, url]: [string, string]): BreadcrumbList => ({
  '@type': 'BreadcrumbList',
  itemListElement: [
    { '@type': 'ListItem', position: 1, name: 'Scripts', item: `${public_url}/` },
    { '@type': 'ListItem', position: 2, name, item: url },
  ],
})

/** A path of this site, or the URL of an avatar elsewhere. */
const absolute = ({ public_url }: Site, path: string): string => (path.startsWith('/') ? public_url + path : path)
