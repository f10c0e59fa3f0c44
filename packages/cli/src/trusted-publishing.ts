import { CliError, EXIT } from './errors.ts'
import { SiteApi } from './site.ts'
import type { Environment } from './tokens.ts'

const TIMEOUT_MS = 30_000

/** The token of a build that the script trusts, or undefined outside of builds that have an ID token. Throws CliError. */
export async function exchangeIdToken(
  environment: Environment,
  { site, slug }: { site: string; slug: string },
  report: (text: string) => void,
): Promise<string | undefined> {
  // GitLab puts it into the variable that the job declares.
  const idToken = environment['SCRIPTYARD_ID_TOKEN'] || (await requestFromGitHub(environment, site))
  if (!idToken) return undefined
  report(`Asking ${site} for a token for this build...`)
  const id = /(?:^|-)(\d{1,10})$/.exec(slug)?.[1]
  const body = { id_token: idToken, ...(id === undefined ? {} : { script_id: Number(id) }) }
  const exchanged = await new SiteApi(site, undefined, report).send('/oidc/token', { method: 'POST', body })
  return (exchanged.body as { token: string }).token
}

async function requestFromGitHub(environment: Environment, site: string): Promise<string | undefined> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: token } = environment
  if (!url || !token) {
    if (environment['GITHUB_ACTIONS'] !== 'true') return undefined
    throw failed('The workflow needs “permissions: id-token: write” to publish without SCRIPTYARD_TOKEN.', EXIT.denied)
  }
  const target = new URL(url)
  target.searchParams.set('audience', site)
  const response = await fetch(target, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  }).catch(() => undefined)
  const { value } = ((await response?.json().catch(() => undefined)) ?? {}) as { value?: string }
  if (response?.ok && value) return value
  throw failed('GitHub issued no ID token for this build. Run it again.', EXIT.unavailable)
}

const failed = (message: string, exit: number) => new CliError('no_id_token', exit, message)
