// Set B: made cases. Each sample is written in each evasion; the labels follow from the sample. Deterministic.
import type { CapabilityId } from '#contract/behavior-names.ts'
import { type Argument, type Case, type Sample, SAMPLES, SECRETS } from './samples.ts'
import { shapeCases } from './shapes.ts'
import { negativeCases } from './negatives.ts'

interface Evasion {
  name: string
  /** Code that comes first: a decoder. */
  before?: string
  encode: (text: string) => string
  /** Whether names are looked up by text: `object[name]`. */
  isByName?: true
  call: (callee: string, args: string[]) => string
  around?: (code: string) => string
  /** Where globals are looked up by name. */
  globals?: string
  /** The call is a test that the function exists. */
  isGuard?: true
}

const quote = (text: string): string => JSON.stringify(text)
const codes = (text: string): number[] => [...Buffer.from(text)]
const direct = (callee: string, args: string[]): string => `${callee}(${args.join(', ')})`
const pieces = (text: string, size = 4): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? ['']
const reverse = (text: string): string => text.split('').toReversed().join('')

export const BASE64_DECODER = `local alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
local function decode(data)
  data = string.gsub(data, '[^' .. alphabet .. '=]', '')
  return (data:gsub('.', function(x)
    if x == '=' then return '' end
    local r, f = '', alphabet:find(x, 1, true) - 1
    for i = 6, 1, -1 do r = r .. (f % 2 ^ i - f % 2 ^ (i - 1) > 0 and '1' or '0') end
    return r
  end):gsub('%d%d%d?%d?%d?%d?%d?%d?', function(x)
    if #x ~= 8 then return '' end
    local c = 0
    for i = 1, 8 do c = c + (x:sub(i, i) == '1' and 2 ^ (8 - i) or 0) end
    return string.char(c)
  end))
end
`
const XOR_DECODER = `local function decode(bytes)
  local result = {}
  for index, byte in ipairs(bytes) do result[index] = string.char(bit32.bxor(byte, (index * 7 + 13) % 256)) end
  return table.concat(result)
end
`
const HEX_DECODER = `local function decode(text)
  return (text:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end
`

const SHIFT_DECODER = `local function decode(text)
  local result, index = "", 1
  while index <= #text do
    result ..= string.char((text:byte(index) - 7) % 256)
    index += 1
  end
  return result
end
`
const PART_DECODER = `local function makeReader(parts)
  local index = 0
  return function()
    index = index + 1
    return parts[index]
  end
end
local function decode(parts)
  local read, result = makeReader(parts), ""
  for _ = 1, #parts do result = result .. read() end
  return result
end
`
const RECURSIVE_DECODER = `local function decode(text)
  if text == "" then return "" end
  return decode(text:sub(2)) .. text:sub(1, 1)
end
`

export const EVASIONS: Evasion[] = [
  { name: 'plain', encode: quote, call: direct },
  { name: 'alias', encode: quote, call: (callee, args) => `local action = ${callee}\nCALL${direct('action', args)}` },
  {
    name: 'upvalue',
    encode: quote,
    call: (callee, args) =>
      `local action\nlocal function go(...) return action(...) end\naction = ${callee}\nCALL${direct('go', args)}`,
  },
  {
    name: 'string pieces',
    encode: (text) => pieces(text).map(quote).join(' .. '),
    isByName: true,
    call: direct,
    globals: 'getfenv()',
  },
  {
    name: 'string.char',
    encode: (text) => `string.char(${codes(text).join(', ')})`,
    isByName: true,
    call: direct,
    globals: '_G',
  },
  {
    name: 'table.concat',
    encode: (text) => `table.concat({${pieces(text, 3).map(quote).join(', ')}})`,
    isByName: true,
    call: direct,
    globals: 'getfenv(0)',
  },
  {
    name: 'reverse',
    encode: (text) => `(${quote(reverse(text))}):reverse()`,
    isByName: true,
    call: direct,
    globals: '_G',
  },
  {
    name: 'environment',
    encode: quote,
    isByName: true,
    call: (callee, args) => `local get = function() return ${callee} end\nCALL${direct('get()', args)}`,
    globals: 'getfenv()',
  },
  {
    name: 'pcall',
    encode: quote,
    call: (callee, args) => `local ok, value = ${direct('pcall', [callee, ...args])}\nCALLvalue`,
    isGuard: true,
  },
  {
    name: 'table field',
    encode: quote,
    call: (callee, args) =>
      `local tools = {inner = {}}\ntools.inner.action = ${callee}\nCALL${direct('tools.inner.action', args)}`,
  },
  {
    name: 'Base64',
    before: BASE64_DECODER,
    encode: (text) => `decode(${quote(Buffer.from(text).toString('base64'))})`,
    isByName: true,
    call: direct,
    globals: '_G',
  },
  {
    name: 'XOR',
    before: XOR_DECODER,
    encode: (text) =>
      `decode({${codes(text)
        .map((byte, index) => byte ^ (((index + 1) * 7 + 13) % 256))
        .join(', ')}})`,
    isByName: true,
    call: direct,
    globals: 'getfenv()',
  },
  {
    name: 'hexadecimal',
    before: HEX_DECODER,
    encode: (text) => `decode("${Buffer.from(text).toString('hex')}")`,
    isByName: true,
    call: direct,
    globals: '_G',
  },
  {
    name: 'shifted bytes',
    before: SHIFT_DECODER,
    encode: (text) =>
      `decode("${codes(text)
        .map((byte) => `\\${String((byte + 7) % 256).padStart(3, '0')}`)
        .join('')}")`,
    isByName: true,
    call: direct,
    globals: '_G',
  },
  {
    name: 'reader closure',
    before: PART_DECODER,
    encode: (text) => `decode({${pieces(text, 5).map(quote).join(', ')}})`,
    isByName: true,
    call: direct,
    globals: 'getfenv()',
  },
  {
    name: 'recursion',
    before: RECURSIVE_DECODER,
    encode: (text) => `decode(${quote(reverse(text))})`,
    isByName: true,
    call: direct,
    globals: '_G',
  },
  {
    name: 'substitution',
    encode: (text) =>
      `(((${quote(text.replaceAll('e', '%!').replaceAll('t', '#~'))}):gsub("%%!", "e"):gsub("#~", "t")))`,
    isByName: true,
    call: direct,
    globals: 'getfenv()',
  },
  {
    name: 'interpolation',
    encode: (text) => {
      const [first = '', ...rest] = pieces(text, 6)
      return `\`{${quote(first)}}${rest
        .join('')
        .replaceAll(/[`{\\]/g, '\\$&')
        .replaceAll('\n', '\\n')}\``
    },
    isByName: true,
    call: direct,
    globals: 'getfenv()',
  },
  {
    name: 'loaded text',
    encode: quote,
    call: direct,
    around: (code) => `local source = [==[\n${code}\n]==]\nloadstring(source)()`,
  },
  {
    name: 'metatable',
    encode: quote,
    call: (callee, args) =>
      `local proxy = setmetatable({}, {__index = function(_, key) return ${callee} end})\nCALL${direct('proxy.anything', args)}`,
  },
  {
    name: 'handler',
    encode: quote,
    call: direct,
    around: (code) =>
      `workspace.ChildAdded:Connect(function(child)\n  if child.Name == "Go" then\n${code}\n  end\nend)`,
  },
]

/** The expression that calls a sample, statements before it included; `CALL` marks where the expression begins. */
function callOf(sample: Sample, evasion: Evasion): string {
  const textArgument = sample.args.find((arg): arg is { text: string } => 'text' in arg)
  const isHole = sample.args.some((arg) => 'code' in arg && arg.code.includes('TEXT'))
  const write = (arg: Argument): string[] => {
    if ('text' in arg) return isHole ? [] : [evasion.encode(arg.text)]
    return [arg.code.replace('TEXT', textArgument ? `(${evasion.encode(textArgument.text)})` : '')]
  }
  const args = sample.args.flatMap(write)
  if (sample.service === undefined) return evasion.call(globalOf(sample.name, evasion), args)
  const object = objectOf(sample, evasion)
  const member = evasion.isByName ? `object[${evasion.encode(sample.name)}]` : `object.${sample.name}`
  if (evasion.name === 'plain' || evasion.name === 'handler' || evasion.name === 'loaded text') {
    return `CALL${direct(`${object}:${sample.name}`, args)}`
  }
  const call = evasion.call(member, ['object', ...args])
  return `local object = ${object}\n${call.includes('CALL') ? call : `CALL${call}`}`
}

function globalOf(name: string, { isByName, globals, encode }: Evasion): string {
  if (!isByName) return name
  return name.split('.').reduce((table, part) => `${table}[${encode(part)}]`, globals ?? '_G')
}

function objectOf({ service = 'game', path = [] }: Sample, { encode, isByName }: Evasion): string {
  const root = service === 'game' ? 'game' : `game:GetService(${encode(service)})`
  return path.reduce((object, part) => (isByName ? `${object}[${encode(part)}]` : `${object}.${part}`), root)
}

function writeCase(sample: Sample, evasion: Evasion): string {
  const [statements, expression] = splitCall(callOf(sample, evasion))
  const call = sample.around?.replace('CALL', expression) ?? `local result = ${expression}\nprint(result)`
  const body = [sample.before, evasion.before, statements.trimEnd(), call].filter(Boolean).join('\n')
  return `${evasion.around?.(body) ?? body}\n`
}

function splitCall(code: string): [statements: string, expression: string] {
  const index = code.indexOf('CALL')
  return index < 0 ? ['', code] : [code.slice(0, index), code.slice(index + 4)]
}

function labelsOf(sample: Sample, evasion: Evasion): CapabilityId[] {
  const needs = sample.isExecutor && !evasion.isGuard ? (['needs.executor'] as const) : []
  return [...new Set([sample.id, ...(sample.also ?? []), ...needs])]
}

function secretCases(): Case[] {
  return EVASIONS.flatMap((evasion) =>
    SECRETS.map((secret, index) => {
      const code = `${evasion.before ?? ''}local token = ${evasion.encode(secret)}\nprint(#token)\n`
      return {
        name: `shape.secret ${index + 1}, ${evasion.name}`,
        capability: 'shape.secret' as const,
        evasion: evasion.name,
        code: evasion.around?.(code) ?? code,
        labels: ['shape.secret' as const],
      }
    }),
  )
}

export function makeCases(): Case[] {
  const numbers = new Map<CapabilityId, number>()
  const calls = SAMPLES.flatMap((sample) => {
    const number = (numbers.get(sample.id) ?? 0) + 1
    numbers.set(sample.id, number)
    const evasions = EVASIONS.filter((evasion) => !(evasion.isGuard && sample.id === 'needs.executor'))
    return evasions.map((evasion): Case => ({
      name: `${sample.id} ${number}, ${evasion.name}`,
      capability: sample.id,
      evasion: evasion.name,
      code: writeCase(sample, evasion),
      labels: labelsOf(sample, evasion),
    }))
  })
  return [...calls, ...secretCases(), ...shapeCases(), ...negativeCases()]
}
