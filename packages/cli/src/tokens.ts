import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { CliError, EXIT } from './errors.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The file with a token for each site, readable by its owner only. */
function tokenFile({ XDG_CONFIG_HOME, APPDATA }: Environment): string {
  const base = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || path.join(homedir(), '.config')
  return path.join(base, 'scriptyard', 'tokens.json')
}

function readTokens(file: string): Record<string, string> {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  } catch {
    throw new CliError('config', EXIT.usage, `${file} is damaged. Delete it and run scriptyard login.`)
  }
}

/** The token for a site: SCRIPTYARD_TOKEN, or else the stored one. */
export function findToken(environment: Environment, site: string): string | undefined {
  return environment['SCRIPTYARD_TOKEN'] || readTokens(tokenFile(environment))[site]
}

/** Throws CliError `no_token`. */
export function getToken(environment: Environment, site: string): string {
  const token = findToken(environment, site)
  if (token) return token
  throw new CliError('no_token', EXIT.denied, 'Run scriptyard login first, or set SCRIPTYARD_TOKEN.')
}

/** Stores the token for a site and returns the path of the file. */
export function storeToken(environment: Environment, site: string, token: string): string {
  const file = tokenFile(environment)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const text = JSON.stringify({ ...readTokens(file), [site]: token }, null, 2)
  // Written beside the file and renamed, so that nobody can read it in between and an interruption loses nothing.
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, `${text}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, file)
  return file
}
