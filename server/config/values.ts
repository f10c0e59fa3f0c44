import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import type { Environment } from './environment.ts'
import { SettingError } from './setting-error.ts'

// An empty value is an absent one, so that a line of `.env` can be switched off from outside.
export function readText(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

export function readChoice<const C extends string>(
  env: Environment,
  name: string,
  choices: readonly C[],
  otherwise: C,
) {
  const value = readText(env, name) ?? otherwise
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined) throw new SettingError(name, `is "${value}"; set it to ${choices.join(' or ')}.`)
  return choice
}

export function readBoolean(env: Environment, name: string, otherwise: boolean): boolean {
  return readChoice(env, name, ['on', 'off'], otherwise ? 'on' : 'off') === 'on'
}

/** A whole number from `least` to `most`. */
export function readInteger(
  env: Environment,
  name: string,
  { min, most, otherwise }: { min: number; most: number; otherwise: number },
): number {
  const value = readText(env, name) ?? String(otherwise)
  if (!/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > most) {
    throw new SettingError(name, `is "${value}"; set it to a number from ${min} to ${most}.`)
  }
  return Number(value)
}

/** A number of processes from 1 to `most`; `auto` is one for each processor. */
export function readProcessCount(env: Environment, name: string, most: number): number {
  const value = readText(env, name) ?? '1'
  if (value === 'auto') return Math.min(most, availableParallelism())
  if (!/^\d{1,3}$/.test(value) || Number(value) < 1 || Number(value) > most) {
    throw new SettingError(name, `is "${value}"; set it to a number from 1 to ${most}, or auto.`)
  }
  return Number(value)
}

/** An address without a slash at its end, ready to have a path put behind it. */
export function readUrl(env: Environment, name: string, protocols: string[]): string | undefined {
  const value = readText(env, name)
  if (value === undefined) return undefined
  checkAddress(value, name, protocols)
  return value.replace(/\/$/, '')
}

/** Several of them, with commas between. */
export function readUrls(env: Environment, name: string, protocols: string[]): string[] {
  return readList(env, name, (address) => checkAddress(address, name, protocols))
}

function checkAddress(value: string, name: string, protocols: string[]): void {
  const url = URL.parse(value)
  if (url && protocols.includes(url.protocol)) return
  // The value is not repeated: an address may carry a password.
  throw new SettingError(name, `is not an address; set it to one that begins with ${protocols.join('// or ')}//.`)
}

export function readDiscordIds(env: Environment, name: string): string[] {
  return readList(env, name, (id) => {
    if (!/^\d{1,20}$/.test(id)) throw new SettingError(name, `holds "${id}"; list Discord ids (digits) between commas.`)
  })
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** Addresses and networks whose `X-Forwarded-For` is believed; 'anyone' cannot be said. */
export function readProxies(env: Environment, name: string): string[] {
  return readList(env, name, (proxy) => {
    if (NAMED_NETWORKS.includes(proxy)) return
    const [address = '', bits, ...rest] = proxy.split('/')
    const longest = isIP(address) === 4 ? 32 : 128
    const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest)
    if (isIP(address) === 0 || !isNetwork || rest.length > 0) {
      const allowed = `the proxy's address or network (10.0.0.5, 10.0.0.0/8), or ${NAMED_NETWORKS.join(', ')}`
      throw new SettingError(name, `holds "${proxy}"; set it to ${allowed}, with commas between several.`)
    }
  })
}

function readList(env: Environment, name: string, check: (item: string) => void): string[] {
  const items = (readText(env, name) ?? '').split(',').map((item) => item.trim())
  const list = items.filter((item) => item !== '')
  for (const item of list) check(item)
  return list
}
