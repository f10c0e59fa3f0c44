import { data, type LoaderFunctionArgs, replace } from 'react-router'
import type { ScriptList } from '#contract/catalogue.ts'
import type { Profile } from '#contract/members.ts'
import { apiContext } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { Api } from '#web/lib/client.ts'
import { readToken } from '#web/lib/token.ts'
import { profileUrl, type ProfileLocation, readProfileLocation } from './profile-url.ts'
import { loadScriptsTab } from './scripts-tab.ts'

const SCRIPTS_PER_PAGE = 50
/** The API's own limit for the parameter; what is longer names nobody. */
const MAX_NAME_LENGTH = 100

export interface FoundProfile {
  state: 'found'
  profile: Profile
  location: ProfileLocation
  /** Null on the other tab, and where they could not be loaded. */
  scripts: ScriptList | null
  /** Whose eyes this is for: pages from the server are always the visitor's. */
  seenBy: 'visitor' | 'member'
}

export type ProfileData = FoundProfile | { state: 'missing' } | { state: 'failed' }

/** A member by slug, username or id. Every other address than the slug's leads there. */
export async function loadProfile({ context, params, request }: LoaderFunctionArgs) {
  const name = params['slug'] ?? ''
  if (name === '' || name.length > MAX_NAME_LENGTH) return answer({ state: 'missing' }, 404)
  const api = context.get(apiContext)
  const { signal } = request
  // What the rules forbid in a name belongs to nobody.
  const found = await api('GET /api/user-profiles', { query: { user_id: name }, signal }).catch(apiErrorOf)
  if (found instanceof ApiError) {
    const isMissing = found.status === 404 || found.status === 400
    return isMissing ? answer({ state: 'missing' }, 404) : answer({ state: 'failed' }, Math.max(found.status, 500))
  }
  const { profile } = found
  const location = readProfileLocation(new URL(request.url).searchParams)
  if (profile.slug !== name) return replace(profileUrl(profile.slug, location))
  const isListed = location.tab === 'scripts' && !profile.is_hidden
  const scripts = isListed ? await loadScripts(api, profile, location, signal) : null
  if (isListed) await loadScriptsTab()
  const isVisitor = import.meta.env.SSR || readToken() === null
  return answer({ state: 'found', profile, location, scripts, seenBy: isVisitor ? 'visitor' : 'member' }, 200)
}

const answer = (found: ProfileData, status: number) => data<ProfileData>(found, { status })

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}

function loadScripts(api: Api, { user_id }: Profile, { page }: ProfileLocation, signal: AbortSignal) {
  return api('GET /api/scripts', { query: { author: user_id, limit: SCRIPTS_PER_PAGE, page }, signal }).catch(
    (error: unknown) => {
      apiErrorOf(error)
      return null
    },
  )
}
