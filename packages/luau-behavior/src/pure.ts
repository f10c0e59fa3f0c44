// Functions of Luau's libraries that only compute. They run on known arguments, so that decoders are followed.
import { matchPattern } from './patterns.ts'
import { concat, isConstant, MAX_TEXT, Table, toText, type Value } from './values.ts'

/** Results of a call, or undefined if the arguments are not known well enough. */
type Pure = (args: readonly Value[]) => Value[] | undefined

const text = (value: Value | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? toText(value) : undefined
const number = (value: Value | undefined): number | undefined => {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? parseNumber(value) : undefined
}

function parseNumber(value: string): number | undefined {
  const trimmed = value.trim()
  if (/^0[xX][0-9a-fA-F]+$/.test(trimmed)) return Number.parseInt(trimmed, 16)
  if (/^0[bB][01]+$/.test(trimmed)) return Number.parseInt(trimmed.slice(2), 2)
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : undefined
}

/** A function of one text and numbers. Missing numbers are NaN. */
const ofText =
  (apply: (value: string, ...numbers: number[]) => Value[] | Value): Pure =>
  (args) => {
    const value = text(args[0])
    const numbers = args.slice(1).map((arg) => (arg === null ? Number.NaN : number(arg)))
    if (value === undefined || numbers.includes(undefined)) return undefined
    const result = apply(value, ...numbers.map((one) => one ?? Number.NaN))
    return Array.isArray(result) ? result : [result]
  }

const ofNumbers =
  (apply: (...numbers: number[]) => number): Pure =>
  (args) => {
    const numbers = args.map((arg) => number(arg))
    if (numbers.length === 0 || numbers.includes(undefined)) return undefined
    return [apply(...numbers.map((one) => one ?? 0))]
  }

const ofWords = (apply: (...words: number[]) => number): Pure =>
  ofNumbers((...numbers) => apply(...numbers.map((one) => toWord(one))) >>> 0)

const toWord = (value: number): number => (Math.trunc(value) % 4_294_967_296) >>> 0

/** Start and end (from 0, end excluded) of a range as `string.sub` takes it. */
function range(length: number, from: number, to: number): [start: number, end: number] {
  const start = Number.isNaN(from) ? 1 : from < 0 ? length + from + 1 : from
  const end = Number.isNaN(to) ? length : to < 0 ? length + to + 1 : to
  return [Math.max(start, 1) - 1, Math.max(Math.min(end, length), 0)]
}

const MAX_BYTES = 8_192

export const PURE: Record<string, Pure> = {
  'string.len': ofText((value) => value.length),
  'string.lower': ofText((value) => value.replace(/[A-Z]+/g, (part) => part.toLowerCase())),
  'string.upper': ofText((value) => value.replace(/[a-z]+/g, (part) => part.toUpperCase())),
  'string.reverse': ofText((value) => value.split('').toReversed().join('')),
  'string.sub': ofText((value, from = 1, to = Number.NaN) => value.slice(...range(value.length, from, to))),
  'string.rep': (args) => {
    const [value, count] = [text(args[0]), number(args[1])]
    const separator = args[2] === undefined || args[2] === null ? '' : text(args[2])
    if (value === undefined || count === undefined || separator === undefined) return undefined
    if (!(count >= 1)) return ['']
    if ((value.length + separator.length) * count > MAX_TEXT) return undefined
    return [(value + separator).repeat(Math.floor(count)).slice(0, separator === '' ? undefined : -separator.length)]
  },
  'string.byte': ofText((value, from = Number.NaN, to = Number.NaN) => {
    const first = Number.isNaN(from) ? 1 : from
    const [start, end] = range(value.length, first, Number.isNaN(to) ? first : to)
    return Array.from({ length: Math.max(0, Math.min(end - start, MAX_BYTES)) }, (_, index) =>
      value.charCodeAt(start + index),
    )
  }),
  'string.char': (args) => {
    const codes = args.map((arg) => number(arg))
    if (codes.includes(undefined)) return undefined
    return [codes.map((code) => String.fromCharCode((code ?? 0) & 255)).join('')]
  },
  'string.split': (args) => {
    const [value, separator = ','] = [text(args[0]), text(args[1])]
    if (value === undefined || (args[1] !== undefined && text(args[1]) === undefined)) return undefined
    return [listOf(separator === '' ? value.split('') : value.split(separator))]
  },
  'string.format': format,
  'string.find': (args) => find(args, true),
  'string.match': (args) => find(args, false),
  'table.concat': (args) => {
    const [list, separator = ''] = args
    if (!(list instanceof Table) || list.other !== undefined || typeof separator === 'object') return undefined
    const from = number(args[2]) ?? 1
    const to = number(args[3]) ?? list.length
    if (to - from > MAX_TEXT) return undefined
    const values: Value[] = []
    for (let index = from; index <= to; index++)
      values.push(...(index > from ? [separator] : []), list.entries.get(index) ?? null)
    return [concat(values)]
  },
  'table.unpack': unpack,
  unpack,
  'table.pack': (args) => {
    const list = listOf(args)
    list.entries.set('n', args.length)
    return [list]
  },
  'table.create': (args) => {
    const [count, value] = [number(args[0]), args[1]]
    if (count === undefined || count > 65_536) return undefined
    return [listOf(value === undefined ? [] : Array.from({ length: count }, () => value))]
  },
  'table.find': (args) => {
    const [list, value = null] = args
    if (!(list instanceof Table) || list.other !== undefined || !isConstant(value)) return undefined
    for (let index = 1; index <= list.length; index++) if (list.entries.get(index) === value) return [index]
    return [null]
  },
  tonumber: (args) => {
    const [value, base = 10] = args
    if (typeof value === 'number') return [value]
    if (typeof value !== 'string' || typeof base !== 'number') return undefined
    if (base === 10) return [parseNumber(value) ?? null]
    const parsed = Number.parseInt(value.trim().replace(base === 16 ? /^0x/i : '', ''), base)
    return [Number.isNaN(parsed) ? null : parsed]
  },
  tostring: (args) => {
    const known = args[0] === undefined || !isConstant(args[0]) ? undefined : toText(args[0])
    return known === undefined ? undefined : [known]
  },
  'math.floor': ofNumbers(Math.floor),
  'math.ceil': ofNumbers(Math.ceil),
  'math.abs': ofNumbers(Math.abs),
  'math.max': ofNumbers(Math.max),
  'math.min': ofNumbers(Math.min),
  'math.sqrt': ofNumbers(Math.sqrt),
  'math.pow': ofNumbers((base, exponent = 1) => base ** exponent),
  'math.fmod': ofNumbers((left, right = 1) => left % right),
  'math.round': ofNumbers((value) => Math.sign(value) * Math.round(Math.abs(value))),
  'math.sign': ofNumbers(Math.sign),
  'math.clamp': ofNumbers((value, low = 0, high = 0) => Math.min(Math.max(value, low), high)),
  'math.ldexp': ofNumbers((value, exponent = 0) => value * 2 ** exponent),
  'math.log': ofNumbers((value, base = Math.E) => Math.log(value) / Math.log(base)),
  'math.exp': ofNumbers(Math.exp),
  'bit32.band': ofWords((...words) => words.reduce((left, right) => left & right)),
  'bit32.bor': ofWords((...words) => words.reduce((left, right) => left | right)),
  'bit32.bxor': ofWords((...words) => words.reduce((left, right) => left ^ right)),
  'bit32.bnot': ofWords((word) => ~word),
  'bit32.lshift': ofNumbers((word, by = 0) => shift(toWord(word), by)),
  'bit32.rshift': ofNumbers((word, by = 0) => shift(toWord(word), -by)),
  'bit32.arshift': ofNumbers((word, by = 0) => (toWord(word) >> Math.min(by, 31)) >>> 0),
  'bit32.lrotate': ofNumbers((word, by = 0) => rotate(toWord(word), by)),
  'bit32.rrotate': ofNumbers((word, by = 0) => rotate(toWord(word), -by)),
  'bit32.extract': ofNumbers((word, field = 0, width = 1) =>
    width >= 32 ? toWord(word) >>> field : (toWord(word) >>> field) & (2 ** width - 1),
  ),
  'bit32.btest': (args) => {
    const result = PURE['bit32.band']?.(args)
    return result && [result[0] !== 0]
  },
  'utf8.char': (args) => {
    const codes = args.map((arg) => number(arg))
    if (codes.includes(undefined) || codes.some((code = 0) => code < 0 || code > 0x10_ff_ff)) return undefined
    return [Buffer.from(String.fromCodePoint(...codes.map((code) => code ?? 0))).toString('latin1')]
  },
}

const shift = (word: number, by: number): number =>
  Math.abs(by) > 31 ? 0 : by >= 0 ? (word << by) >>> 0 : word >>> -by
const rotate = (word: number, by: number): number => {
  const count = ((by % 32) + 32) % 32
  return count === 0 ? word : ((word << count) | (word >>> (32 - count))) >>> 0
}

export function listOf(values: readonly Value[]): Table {
  const list = new Table()
  for (const [index, value] of values.entries()) list.entries.set(index + 1, value)
  list.length = values.length
  return list
}

function unpack(args: readonly Value[]): Value[] | undefined {
  const [list] = args
  if (!(list instanceof Table) || list.other !== undefined) return undefined
  const from = number(args[1]) ?? 1
  const to = number(args[2]) ?? list.length
  if (to - from >= MAX_BYTES) return undefined
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => list.entries.get(from + index) ?? null)
}

function find(args: readonly Value[], withPositions: boolean): Value[] | undefined {
  const [value, pattern] = [text(args[0]), text(args[1])]
  if (value === undefined || pattern === undefined) return undefined
  const from = number(args[2]) ?? 1
  const init = Math.max(from < 0 ? value.length + from : from - 1, 0)
  if (init > value.length) return [null]
  if (withPositions && (args[3] === true || !/[\^$*+?.()[\]%-]/.test(pattern))) {
    const index = value.indexOf(pattern, init)
    return index < 0 ? [null] : [index + 1, index + pattern.length]
  }
  const match = matchPattern(value, pattern, init)
  if (!match) return [null]
  if (!withPositions) return match.captures
  const hasCaptures = /(^|[^%])\(/.test(pattern)
  return [match.start + 1, match.end, ...(hasCaptures ? match.captures : [])]
}

function format(args: readonly Value[]): Value[] | undefined {
  const pattern = text(args[0])
  if (pattern === undefined) return undefined
  const parts: Value[] = []
  let next = 1
  let last = 0
  for (const match of pattern.matchAll(/%(%|([-+ #0]*)(\d*)(?:\.(\d+))?([a-zA-Z*]))/g)) {
    parts.push(pattern.slice(last, match.index))
    last = match.index + match[0].length
    if (match[1] === '%') parts.push('%')
    else {
      const value = args[next++]
      if (value === undefined) return undefined
      parts.push(
        formatOne(value, match[5] ?? '', { flags: match[2] ?? '', width: match[3] ?? '', precision: match[4] }),
      )
    }
  }
  parts.push(pattern.slice(last))
  return [concat(parts)]
}

function formatOne(
  value: Value,
  letter: string,
  { flags, width, precision }: { flags: string; width: string; precision: string | undefined },
): Value {
  const pad = (shown: string) => {
    const size = Number(width || 0)
    if (flags.includes('-')) return shown.padEnd(size)
    return shown.padStart(size, flags.includes('0') && letter !== 's' ? '0' : ' ')
  }
  if (letter === 's' || letter === '*') {
    const known = isConstant(value) ? toText(value) : undefined
    return known === undefined ? value : pad(precision === undefined ? known : known.slice(0, Number(precision)))
  }
  const known = number(value)
  if (known === undefined) return value
  if (letter === 'x') return pad(toWord(known).toString(16))
  if (letter === 'X') return pad(toWord(known).toString(16).toUpperCase())
  if (letter === 'c') return String.fromCharCode(known & 255)
  if (letter === 'd' || letter === 'i' || letter === 'u') return pad(String(Math.trunc(known)))
  if (letter === 'o') return pad(toWord(known).toString(8))
  if (letter === 'f') return pad(known.toFixed(Math.min(Number(precision ?? 6), 50)))
  return pad(toText(known) ?? '')
}
