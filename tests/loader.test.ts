import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { compileModule, startMachine } from '../packages/luau-behavior/src/sandbox/vm.ts'

const LOADER = readFileSync(path.resolve(import.meta.dirname, '../examples/loader.luau'), 'utf8')
const HASH = /local SHA256 = "([0-9a-f]+)"/
const sha256 = (text: string) => createHash('sha256').update(text, 'latin1').digest('hex')

/** What Roblox has, by a host that answers requests with texts. */
const ROBLOX = `local service = {}
function service.GetAsync(_, url) local answer = host("get", url) return if answer then answer() else error("HTTP 404", 0) end
function service.JSONDecode(_, text) return host("decode", text)() end
local game = { GetService = function() return service end }
local function print(text) host("print", text) end
local function loadstring(code) return host("load", code) end
`

/** A Luau expression of parsed JSON. */
function toLuau(value: unknown): string {
  if (Array.isArray(value)) return `{ ${value.map(toLuau).join(', ')} }`
  if (typeof value !== 'object' || value === null) return value === null ? 'nil' : JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, part]) => `[${JSON.stringify(key)}] = ${toLuau(part)}`)
    .join(', ')} }`
}

interface Site {
  hash: string
  code?: string
  update?: object
}

/** Runs the loader against a site. Returns what it printed, and its error. */
async function load({ hash, code, update }: Site): Promise<{ printed: string[]; error: string | undefined }> {
  const printed: string[] = []
  const asResult = (expression: string) => ({ load: Buffer.from(`return ${expression}`), chunkName: '=answer' })
  const asText = (text: string) =>
    asResult(`"${[...Buffer.from(text, 'latin1')].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`)
  const machine = startMachine(await compileModule(), 64, (operation, [text = '']) => {
    if (operation === 'print') printed.push(text)
    if (operation === 'load') return { load: Buffer.from(text, 'latin1'), chunkName: '=script' }
    if (operation === 'decode') return asResult(toLuau(JSON.parse(text)))
    if (operation !== 'get') return undefined
    const answer = text.includes('/update?') ? update && JSON.stringify(update) : code
    return answer === undefined ? undefined : asText(answer)
  })
  const source = LOADER.replace(HASH, `local SHA256 = "${hash}"`).replace('--!strict\n', ROBLOX)
  try {
    machine.call(machine.load(source, '=loader'))
    return { printed, error: undefined }
  } catch (error) {
    return { printed, error: (error as Error).message }
  }
}

const latest = { version: '1.0.1', sha256: '0'.repeat(64), raw_url: 'https://scripts.example.com/raw/lamp-12?sha256=0' }
const none = { starts: [], stops: [], hosts_added: [], withdrawn: false, is_compared: true }

describe('the loader for Studio', () => {
  test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])(
    'runs code of %i bytes and more by its SHA-256',
    async (length) => {
      const code = `host("print", "ran") -- ${String.fromCodePoint(233).repeat(length)}`
      const hash = sha256(code)
      expect(await load({ hash, code, update: { latest: { ...latest, sha256: hash }, ...none } })).toEqual({
        printed: ['ran'],
        error: undefined,
      })
    },
  )

  test('does not run other code', async () => {
    const { printed, error } = await load({ hash: sha256('return 1'), code: 'host("print", "ran")' })
    expect(printed).toEqual(['No answer about updates: HTTP 404'])
    expect(error).toContain('not the one with this hash')
  })

  test('prints what an update would change, and runs the old version', async () => {
    const code = 'host("print", "ran")'
    const update = { latest, ...none, starts: ['net.webhook', 'code.remote'], hosts_added: ['discord.com'] }
    expect((await load({ hash: sha256(code), code, update })).printed).toEqual([
      `lamp-12 has version 1.0.1: ${latest.raw_url}`,
      '  It would start: net.webhook, code.remote',
      '  It would contact: discord.com',
      'ran',
    ])
    const unknown = await load({ hash: sha256(code), code, update: { latest, ...none, is_compared: false } })
    expect(unknown.printed[1]).toBe('  Nobody knows what it would change. Read it first.')
  })

  test('stops if the version was withdrawn', async () => {
    const code = 'host("print", "ran")'
    const { printed, error } = await load({ hash: sha256(code), code, update: { latest, ...none, withdrawn: true } })
    expect([printed, error]).toEqual([[], expect.stringContaining('was withdrawn')])
    const gone = await load({ hash: sha256(code) })
    expect(gone.error).toContain('HTTP 404')
  })
})
