import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { parseEnv } from 'node:util'

export type Environment = Record<string, string | undefined>

/** An error whose message is shown to the operator as it is, without a stack trace. */
export class UserFacingError extends Error {
  override name = 'UserFacingError'
}

/** A bad setting. The message is one sentence for the operator and starts with the setting's name. */
export class SettingError extends UserFacingError {
  override name = 'SettingError'
  readonly setting: string

  constructor(setting: string, sentence: string) {
    super(`${setting} ${sentence}`)
    this.setting = setting
  }
}

/** The process's environment, over the `.env` file of the working directory. */
export function readEnvironment(file = '.env'): Environment {
  return { ...readEnvFile(file), ...process.env }
}

function readEnvFile(file: string): Environment {
  try {
    return parseEnv(decodeEnvFile(readFileSync(file)))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

/** Removes the byte order mark that some editors write. Throws SettingError for other encodings than UTF-8. */
function decodeEnvFile(bytes: Buffer): string {
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw new SettingError('.env', 'is not in UTF-8, such as UTF-16; save it as UTF-8.')
  }
  return new TextDecoder().decode(bytes)
}

/** The trimmed value. An empty one counts as absent, so that the environment can unset a line of `.env`. */
export function readText(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

export function readChoice<const C extends string>(env: Environment, name: string, choices: readonly C[], fallback: C) {
  const value = readText(env, name) ?? fallback
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined) throw new SettingError(name, `is "${value}"; set it to ${choices.join(' or ')}.`)
  return choice
}

export function readBoolean(env: Environment, name: string, fallback: boolean): boolean {
  return readChoice(env, name, ['on', 'off'], fallback ? 'on' : 'off') === 'on'
}

export function readInteger(
  env: Environment,
  name: string,
  { min, max, fallback }: { min: number; max: number; fallback: number },
): number {
  const value = readText(env, name) ?? String(fallback)
  if (!/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max) {
    throw new SettingError(name, `is "${value}"; set it to a number from ${min} to ${max}.`)
  }
  return Number(value)
}

/** A number of processes from 1 to `max`; `auto` is one per processor. */
export function readProcessCount(env: Environment, name: string, max: number): number {
  const value = readText(env, name) ?? '1'
  if (value === 'auto') return Math.min(max, availableParallelism())
  if (!/^\d{1,3}$/.test(value) || Number(value) < 1 || Number(value) > max) {
    throw new SettingError(name, `is "${value}"; set it to a number from 1 to ${max}, or auto.`)
  }
  return Number(value)
}

/** A URL without a trailing slash, so that a path can be appended. */
export function readUrl(env: Environment, name: string, protocols: string[]): string | undefined {
  const value = readText(env, name)
  if (value === undefined) return undefined
  checkUrl(value, name, protocols)
  return value.replace(/\/$/, '')
}

export function readUrls(env: Environment, name: string, protocols: string[]): string[] {
  return readList(env, name, (url) => checkUrl(url, name, protocols))
}

function checkUrl(value: string, name: string, protocols: string[]): void {
  const url = URL.parse(value)
  if (url && protocols.includes(url.protocol)) return
  // The message does not repeat the value, which may contain a password.
  throw new SettingError(name, `is not a valid URL; set it to one that starts with ${protocols.join('// or ')}//.`)
}

export function readDiscordIds(env: Environment, name: string): string[] {
  return readList(env, name, (id) => {
    if (!/^\d{1,20}$/.test(id))
      throw new SettingError(name, `contains "${id}"; set it to comma-separated Discord ids (digits).`)
  })
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** Addresses and networks whose `X-Forwarded-For` is trusted. There is no value that trusts everybody. */
export function readProxies(env: Environment, name: string): string[] {
  return readList(env, name, (proxy) => {
    if (NAMED_NETWORKS.includes(proxy)) return
    const [address = '', bits, ...rest] = proxy.split('/')
    const maxBits = isIP(address) === 4 ? 32 : 128
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits)
    if (isIP(address) === 0 || !isNetwork || rest.length > 0) {
      const allowed = `the proxy's address or network (10.0.0.5, 10.0.0.0/8), or ${NAMED_NETWORKS.join(', ')}`
      throw new SettingError(name, `contains "${proxy}"; set it to ${allowed}, separated by commas.`)
    }
  })
}

function readList(env: Environment, name: string, check: (item: string) => void): string[] {
  const items = (readText(env, name) ?? '').split(',').map((item) => item.trim())
  const list = items.filter((item) => item !== '')
  for (const item of list) check(item)
  return list
}

/** Whether `decodeURIComponent` can decode a text. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
