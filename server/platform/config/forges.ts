import { type Environment, readUrls, SettingError } from './values.ts'

/** A server with repositories whose builds may publish, and from which scripts are updated. */
export interface Forge {
  kind: 'github' | 'gitlab'
  /** URL of its pages, which trusted publishers and sources store. */
  url: string
  /** Issuer of the ID tokens of its builds. */
  issuer: string
  apiUrl: string
  /** Files of public repositories, at /OWNER/NAME/COMMIT/PATH. By default the API, which admits fewer requests. */
  rawUrl?: string
}

const GITHUB: Forge = {
  kind: 'github',
  url: 'https://github.com',
  issuer: 'https://token.actions.githubusercontent.com',
  apiUrl: 'https://api.github.com',
  rawUrl: 'https://raw.githubusercontent.com',
}

const toGitHub = (url: string): Forge => ({
  kind: 'github',
  url,
  issuer: `${url}/_services/token`,
  apiUrl: `${url}/api/v3`,
})

const toGitLab = (url: string): Forge => ({ kind: 'gitlab', url, issuer: url, apiUrl: `${url}/api/v4` })

/** GitHub, GitLab and the operator's own servers. Throws SettingError. */
export function readForges(env: Environment, appEnv: 'local' | 'production'): Forge[] {
  // Without encryption, anybody on the network could answer for the server.
  const protocols = appEnv === 'production' ? ['https:'] : ['https:', 'http:']
  const read = (name: string) => readUrls(env, name, protocols).map((url) => toPlainUrl(url, name))
  return [
    GITHUB,
    toGitLab('https://gitlab.com'),
    ...read('GITHUB_SERVERS').map(toGitHub),
    ...read('GITLAB_SERVERS').map(toGitLab),
  ]
}

function toPlainUrl(text: string, name: string): string {
  const { username, password, search, hash, href } = new URL(text)
  if (username || password || search || hash) {
    throw new SettingError(name, 'must be plain URLs, such as https://git.example.com.')
  }
  return href.replace(/\/$/, '')
}
