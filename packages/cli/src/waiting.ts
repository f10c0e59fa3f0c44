// What becomes of a version that was sent: the site checks it, and visitors get it at once or after a person has looked at it.
import { setTimeout as sleep } from 'node:timers/promises'
import { CAPABILITIES } from '@scriptyard/luau-behavior/capabilities'
import { CliError, EXIT, usageError } from './errors.ts'
import type { SiteApi } from './site.ts'

export interface HoldReason {
  id: string
  host: string | null
  line: number | null
  detail: string | null
}

interface Hold {
  reasons: HoldReason[]
  current_at: string | null
}

/** Sites of before have no states: what they accept is current. */
export interface SentVersion {
  number: number
  version: string
  state?: 'checking' | 'held' | 'current' | 'former' | 'discarded' | 'withdrawn'
  /** Of a version that waits: whether nothing of the script is public until then. */
  is_current?: boolean
  held?: Hold | null
}

const DEFAULT_WAIT_SECONDS = 150
const MAX_WAIT_SECONDS = 3600
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 4000
const INTERRUPTED = 130

/** Throws CliError `usage`. */
export function parseWait(value: string | undefined): number {
  if (value === undefined) return DEFAULT_WAIT_SECONDS
  const seconds = /^\d{1,4}$/.test(value) ? Number(value) : Infinity
  if (seconds > MAX_WAIT_SECONDS) throw usageError(`--wait takes a number of seconds, at most ${MAX_WAIT_SECONDS}.`)
  return seconds
}

interface WaitOptions {
  api: SiteApi
  slug: string
  url: string
  seconds: number
  report: (text: string) => void
}

/** Waits until the check is over. The result is still `checking` if the time ends before, or if the token cannot read it. */
export async function waitForCheck(
  { api, slug, url, seconds, report }: WaitOptions,
  sent: SentVersion,
): Promise<SentVersion> {
  if (sent.state !== 'checking' || seconds === 0) return sent
  const name = `Version ${sent.version}`
  const stop = () => {
    report(`Not waiting any longer: the site goes on checking ${name.toLowerCase()}. See ${url}`)
    process.exit(INTERRUPTED)
  }
  process.once('SIGINT', stop)
  report(`${name} is sent. The site checks it...`)
  try {
    const end = Date.now() + seconds * 1000
    for (let pause = FIRST_PAUSE_MS; Date.now() < end; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      await sleep(Math.min(pause, Math.max(0, end - Date.now())))
      const version = await readVersion(api, slug, sent.number).catch(ignoreOutage)
      if (version === null) return sent
      if (version && version.state !== 'checking') return version
    }
    return sent
  } finally {
    process.off('SIGINT', stop)
  }
}

/** Null if the token cannot read it. */
export async function readVersion(api: SiteApi, slug: string, number: number): Promise<SentVersion | null> {
  try {
    const { body } = await api.send(`/scripts/${encodeURIComponent(slug)}/versions/${number}`)
    const { script_content: _, ...version } = (body as { version: SentVersion & { script_content: string } }).version
    return version
  } catch (error) {
    if (error instanceof CliError && (error.code === 'not_found' || error.code === 'script_not_found')) return null
    throw error
  }
}

/** The version is sent: that the site cannot be reached for a moment is no reason to give up. */
function ignoreOutage(error: unknown): undefined {
  if (!(error instanceof CliError && error.exit === EXIT.unavailable)) throw error
}

const OTHER_REASONS: Readonly<Record<string, string>> = {
  opaque: 'Less of it can be checked than before',
  check_failed: 'It could not be checked',
  less_evidence: 'Published with weaker proof of origin than before',
}

const isCapability = (id: string): id is keyof typeof CAPABILITIES => Object.hasOwn(CAPABILITIES, id)

export function describeReason({ id, host, line, detail }: HoldReason): string {
  const text = isCapability(id) ? `${CAPABILITIES[id]} (${id})` : (OTHER_REASONS[id] ?? id)
  const where = [...(host === null ? [] : [host]), ...(line === null ? [] : [`line ${line}`])].join(', ')
  return `${text}${where && `: ${where}`}${detail === null ? '' : `: ${detail}`}`
}

export interface Result {
  exit: number
  text: string
}

/** What to say about a version that visitors do not get, or undefined if they do. */
export function describeWaiting(
  { version, state, is_current, held }: SentVersion,
  { url, seconds }: { url: string; seconds: number },
): Result | undefined {
  if (state === 'checking') {
    const text = `The site is still checking version ${version}. Run scriptyard publish again to learn the result: ${url}`
    return { exit: seconds === 0 ? EXIT.ok : EXIT.unavailable, text }
  }
  if (state === 'held') {
    const reasons = (held?.reasons ?? []).map((reason) => `  ${describeReason(reason)}`)
    const advice = adviseOnHold(held?.reasons ?? [], {
      isFirst: is_current ?? false,
      currentAt: held?.current_at ?? null,
    })
    return { exit: EXIT.held, text: [`Version ${version} is held: ${url}`, ...reasons, ...advice].join('\n') }
  }
  if (state === 'discarded' || state === 'withdrawn') {
    return { exit: EXIT.failed, text: `Version ${version} was ${state}, so visitors do not get it: ${url}` }
  }
  return undefined
}

function adviseOnHold(
  reasons: readonly HoldReason[],
  { isFirst, currentAt }: { isFirst: boolean; currentAt: string | null },
): string[] {
  if (currentAt !== null) return [`You confirmed it. It becomes current on ${currentAt}.`]
  const ids = [...new Set(reasons.map(({ id }) => id))]
  if (isFirst && ids.every(isCapability)) {
    return [
      'Nothing of the script is public until you declare this or change the code. To declare it, add to scriptyard.json',
      `  "declared_capabilities": ${JSON.stringify(ids)}`,
      'with what else the script does, and run scriptyard publish again.',
    ]
  }
  return [
    isFirst ? 'Nothing of the script is public until then.' : 'Visitors get the version before it until then.',
    'Open that page in the browser and confirm the version, or discard it; or publish other code. A token cannot confirm it.',
    'If you did not publish it, choose “This wasn’t me” there.',
  ]
}
