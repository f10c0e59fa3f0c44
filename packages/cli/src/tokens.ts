import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { CliError, EXIT } from './errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The file with a token for each site, readable by its owner only. Undefined for a user without a home folder. */
function findTokenFile({ XDG_CONFIG_HOME, APPDATA }: Environment): string | undefined {
  const home = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || findHome()
  return home && path.join(home, 'scriptyard', 'tokens.json')
}

function findHome(): string | undefined {
  try {
    return path.join(homedir(), '.config')
  } catch {
    // Neither HOME is set nor has the system an entry for the user, as in some containers.
    return undefined
  }
}

const isTokens = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every((token) => typeof token === 'string')

function readTokens(file: string | undefined): Record<string, string> {
  if (!file || !existsSync(file)) return {}
  try {
    const tokens: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
    if (isTokens(tokens)) return tokens
  } catch {
    // The sentence below covers it.
  }
  throw new CliError('config', EXIT.usage, `${file} is damaged. Delete it and run scriptyard login.`)
}

/** Removes the quotes that documents and chats put around a token. Throws CliError `no_token` for what cannot be one. */
export function parseToken(text: string): string {
  const token = text.trim().replaceAll(/^["'`“”‘’«»]+|["'`“”‘’«»]+$/g, '')
  if (/^[\x21-\x7E]*$/.test(token)) return token
  throw new CliError('no_token', EXIT.denied, 'The token has characters that no token has. Copy it again.')
}

/** The token for a site: SCRIPTYARD_TOKEN, or else the stored one. */
export function findToken(environment: Environment, site: string): string | undefined {
  const token = environment['SCRIPTYARD_TOKEN'] || readTokens(findTokenFile(environment))[site]
  return token && parseToken(token)
}

/** Throws CliError `no_token`. */
export function getToken(environment: Environment, site: string): string {
  const token = findToken(environment, site)
  if (token) return token
  throw new CliError('no_token', EXIT.denied, 'Run scriptyard login first, or set SCRIPTYARD_TOKEN.')
}

/** Stores the token for a site and returns the path of the file. Throws CliError `config` without a home folder. */
export function storeToken(environment: Environment, site: string, token: string): string {
  const file = findTokenFile(environment)
  if (!file) {
    const message = 'There is no home folder to store the token in. Set SCRIPTYARD_TOKEN instead, or XDG_CONFIG_HOME.'
    throw new CliError('config', EXIT.usage, message)
  }
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const text = JSON.stringify({ ...readTokens(file), [site]: token }, null, 2)
  // Written beside the file and renamed, so that nobody can read it in between and an interruption loses nothing.
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${text}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, file)
  return file
}
