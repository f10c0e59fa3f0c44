// Buffers. Those that the script fills are lists of bytes by offset; those made from text are that text.
import type { Run } from './run.ts'
import { PURE } from './pure.ts'
import { type Results, resultAt, results, unknownResults } from './results.ts'
import type { LibraryFunction } from './tables-and-texts.ts'
import { UNRESOLVED } from './unresolved.ts'
import { join, originOf, originsOf, Table, Unknown, UNKNOWN, type Value } from './values.ts'

const MAX_BUFFER = 65_536
/** Texts up to this length become buffers that can be changed. */
const MAX_CHANGED = 4096

const sizeOf = (buffer: Table): number => Number(buffer.entries.get('size') ?? 0)
const unknownText = (buffer: Table): Value => new Unknown(originOf(buffer), undefined, 'text')

function makeBuffer(run: Run, size: Value): Table {
  const buffer = new Table()
  buffer.branch = run.state.branch
  buffer.born = run.state.position
  buffer.entries.set('size', size)
  return buffer
}

/** The bytes of a range as text, or undefined if they are not known. */
function bytesOf(buffer: Table, from: Value | undefined, to: Value | undefined): string | undefined {
  if (buffer.other !== undefined || typeof from !== 'number' || typeof to !== 'number' || to - from > MAX_BUFFER)
    return undefined
  let text = ''
  for (let offset = from; offset < to; offset++) {
    const byte = buffer.entries.get(offset) ?? 0
    if (typeof byte !== 'number') return undefined
    text += String.fromCharCode(byte & 255)
  }
  return text
}

/** Writes a text. What is written where or what is not known may be anywhere. */
function writeText(run: Run, buffer: Value, offset: Value, text: Value): Results {
  // A long text is not copied, so that it stays as it was.
  if (typeof buffer === 'string') run.findings.addOpaque(UNRESOLVED.changed)
  if (!(buffer instanceof Table)) return results()
  if (typeof text === 'string' && typeof offset === 'number' && text.length <= MAX_BUFFER)
    for (let index = 0; index < text.length; index++) run.state.setField(buffer, offset + index, text.charCodeAt(index))
  else {
    const origin = new Unknown(originOf(text))
    buffer.other = buffer.other === undefined ? origin : join(buffer.other, origin)
  }
  return results()
}

/** Bytes of an integer, the lowest first. */
const toBytes = (value: number, size: number): string =>
  String.fromCharCode(...Array.from({ length: size }, (_, index) => Math.floor(value / 256 ** index) & 255))
const toInteger = (bytes: string, isSigned: boolean): number => {
  const value = bytes.split('').reduce((sum, byte, index) => sum + byte.charCodeAt(0) * 256 ** index, 0)
  return isSigned && value >= 256 ** bytes.length / 2 ? value - 256 ** bytes.length : value
}

const read =
  (size: number, isSigned = false): LibraryFunction =>
  (_run, args) => {
    const [buffer = null, offset = null] = args.values
    const bytes =
      typeof offset !== 'number'
        ? undefined
        : buffer instanceof Table
          ? bytesOf(buffer, offset, offset + size)
          : typeof buffer === 'string'
            ? buffer.slice(offset, offset + size)
            : undefined
    return results(bytes === undefined ? new Unknown(originsOf(args.values)) : toInteger(bytes, isSigned))
  }

const write =
  (size: number): LibraryFunction =>
  (run, args) => {
    const [buffer = null, offset = null, value = null] = args.values
    const text = typeof value === 'number' ? toBytes(value, size) : new Unknown(originOf(value))
    return writeText(run, buffer, offset, text)
  }

/** The text of a part of a buffer; to its end if `length` is undefined. */
function textOf(buffer: Value, offset: Value, length: Value | undefined): Value {
  if (buffer instanceof Table) {
    const end = length === undefined ? sizeOf(buffer) : typeof length === 'number' ? Number(offset) + length : length
    return bytesOf(buffer, offset, end) ?? unknownText(buffer)
  }
  const known = PURE['string.sub']?.([
    buffer,
    typeof offset === 'number' ? offset + 1 : offset,
    length === undefined ? -1 : typeof length === 'number' && typeof offset === 'number' ? offset + length : UNKNOWN,
  ])
  return known?.[0] ?? new Unknown(originOf(buffer), undefined, 'text')
}

export const BUFFER_FUNCTIONS: Record<string, LibraryFunction> = {
  'buffer.create': (run, args) => results(makeBuffer(run, resultAt(args, 0))),
  'buffer.fromstring': (run, args) => {
    const text = resultAt(args, 0)
    if (typeof text !== 'string' || text.length > MAX_CHANGED) return results(text)
    const buffer = makeBuffer(run, text.length)
    for (let index = 0; index < text.length; index++) buffer.entries.set(index, text.charCodeAt(index))
    return results(buffer)
  },
  'buffer.len': (_run, args) => {
    const buffer = resultAt(args, 0)
    if (buffer instanceof Table) return results(buffer.entries.get('size') ?? 0)
    return results(typeof buffer === 'string' ? buffer.length : UNKNOWN)
  },
  'buffer.readu8': read(1),
  'buffer.readi8': read(1, true),
  'buffer.readu16': read(2),
  'buffer.readi16': read(2, true),
  'buffer.readu32': read(4),
  'buffer.readi32': read(4, true),
  'buffer.writeu8': write(1),
  'buffer.writei8': write(1),
  'buffer.writeu16': write(2),
  'buffer.writei16': write(2),
  'buffer.writeu32': write(4),
  'buffer.writei32': write(4),
  'buffer.writef32': (run, args) => writeText(run, resultAt(args, 0), UNKNOWN, UNKNOWN),
  'buffer.writef64': (run, args) => writeText(run, resultAt(args, 0), UNKNOWN, UNKNOWN),
  'buffer.writebits': (run, args) => writeText(run, resultAt(args, 0), UNKNOWN, resultAt(args, 3)),
  'buffer.writestring': (run, args) => {
    const [buffer = null, offset = null, text = null, length] = args.values
    return writeText(run, buffer, offset, length === undefined ? text : textOf(text, 0, length))
  },
  'buffer.fill': (run, args) => {
    const [buffer = null, offset = null, byte = null, length] = args.values
    const size = length ?? (buffer instanceof Table && typeof offset === 'number' ? sizeOf(buffer) - offset : UNKNOWN)
    const isKnown = typeof byte === 'number' && typeof size === 'number' && size >= 0 && size <= MAX_BUFFER
    return writeText(
      run,
      buffer,
      offset,
      isKnown ? String.fromCharCode(byte & 255).repeat(size) : new Unknown(originOf(byte)),
    )
  },
  'buffer.copy': (run, args) => {
    const [target = null, offset = null, source = null, from = 0, length] = args.values
    return writeText(run, target, offset, textOf(source, from, length))
  },
  'buffer.readstring': (_run, args) => results(textOf(resultAt(args, 0), resultAt(args, 1), resultAt(args, 2))),
  'buffer.tostring': (_run, args) => {
    const buffer = resultAt(args, 0)
    if (buffer instanceof Table) return results(bytesOf(buffer, 0, buffer.entries.get('size')) ?? unknownText(buffer))
    return typeof buffer === 'string'
      ? results(buffer)
      : unknownResults(new Unknown(originOf(buffer), undefined, 'text'))
  },
}
