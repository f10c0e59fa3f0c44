// Compares what PostgreSQL says about a statement with the types that TypeScript has for its rows and parameters.
import pg from 'pg'
import { TypeFlags, type Type } from 'typescript/unstable/sync'
import type { Statement } from './compose.ts'
import type { Column, Description } from './prepare.ts'
import type { Program } from './program.ts'
import type { Parameter } from './values.ts'

type Kind = 'string' | 'number' | 'boolean' | 'Date' | 'bytes' | 'any'
type Shape = Kind | { elements: Shape[] }

export interface Difference {
  /** A part of a sentence. */
  text: string
  /** The type allows more than the statement returns, as it must if it is the type of several statements. */
  isWide?: boolean
}

/** The number of each type of PostgreSQL. */
const builtins: Record<keyof typeof pg.types.builtins, number> = pg.types.builtins

const STRINGS = [builtins.TEXT, builtins.VARCHAR, builtins.UUID, builtins.NUMERIC]
const NUMBERS = [builtins.INT2, builtins.INT4, builtins.INT8, builtins.FLOAT4, builtins.FLOAT8, builtins.OID]
const TIMES = [builtins.TIMESTAMP, builtins.TIMESTAMPTZ, builtins.DATE]

/** As the parsers of server/platform/db/pool.ts and pg return them. Types that are not listed are not compared. */
const KINDS = new Map<number, Kind>([
  ...STRINGS.map((oid) => [oid, 'string'] as const),
  ...NUMBERS.map((oid) => [oid, 'number'] as const),
  ...TIMES.map((oid) => [oid, 'Date'] as const),
  [builtins.BOOL, 'boolean'],
  [builtins.BYTEA, 'bytes'],
])

/** The element types of the arrays that pg parses. */
const ELEMENTS = new Map<number, number>([
  [1000, builtins.BOOL],
  [1005, builtins.INT2],
  [1007, builtins.INT4],
  [1009, builtins.TEXT],
  [1021, builtins.FLOAT4],
  [1022, builtins.FLOAT8],
  [1185, builtins.TIMESTAMPTZ],
  [2951, builtins.UUID],
])

/** Whether a value of a type of PostgreSQL has a type of TypeScript, or may be sent as one. */
type Accepts = (kind: Kind, shape: Kind, oid: number) => boolean

/** An infinite time is a number. */
const isReturned: Accepts = (kind, shape) => shape === kind || (kind === 'Date' && shape === 'number')

/** PostgreSQL reads times from text, and decimals from numbers. */
const isSent: Accepts = (kind, shape, oid) =>
  shape === kind || (kind === 'Date' && shape === 'string') || (oid === builtins.NUMERIC && shape === 'number')

/** In these statements PostgreSQL can add nulls to a column that is never null. */
const ADDS_NULLS = /\b(left|right|full)\s+(outer\s+)?join\b|\b(union|grouping sets|rollup|cube)\b/i

/** `row` is the type of a row, or undefined if nothing reads rows. */
export function compare(
  program: Program,
  statement: Statement,
  { columns, parameterOids }: Description,
  row: Type | undefined,
): Difference[] {
  const parameters = statement.parameters.flatMap((parameter, i) =>
    compareParameter(program, parameter, parameterOids[i]),
  )
  return row ? [...parameters, ...compareRow(program, statement.text, columns, row)] : parameters
}

function compareRow(program: Program, text: string, columns: readonly Column[], row: Type): Difference[] {
  if (row.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter) || !row.isObjectType()) return []
  return program.propertiesOf(row).flatMap(({ name, type, isOptional }) => {
    const column = columns.find((each) => each.name === name)
    if (!column) return isOptional ? [] : [{ text: `the type has "${name}", the result has not` }]
    return type ? compareColumn(program, text, column, type) : []
  })
}

export function compareColumn(
  program: Program,
  text: string,
  { name, typeOid, source }: Column,
  type: Type,
): Difference[] {
  const { shapes, isNullable } = classify(program, type)
  const shown = program.display(type)
  const differences: Difference[] = []
  if (!matches(shapes, typeOid, isReturned))
    differences.push({ text: `"${name}" is ${nameOf(typeOid)}, the type is ${shown}` })
  if (!source || shapes.includes('any') || ADDS_NULLS.test(text)) return differences
  if (!source.isNullable && isNullable)
    differences.push({ text: `"${name}" is never null, its type says so`, isWide: true })
  // A condition elsewhere in the statement may exclude null.
  const isMentionedOnce = text.split(new RegExp(String.raw`\b${source.name}\b`)).length === 2
  if (source.isNullable && !isNullable && isMentionedOnce)
    differences.push({ text: `"${name}" can be null, the type is ${shown}` })
  return differences
}

function compareParameter(program: Program, { node, type }: Parameter, oid: number | undefined): Difference[] {
  if (!type || oid === undefined || matches(classify(program, type).shapes, oid, isSent)) return []
  return [{ text: `the parameter ${node.getText()} is ${nameOf(oid)}, its type is ${program.display(type)}` }]
}

function nameOf(oid: number): string {
  const element = ELEMENTS.get(oid)
  const [name] = Object.entries(builtins).find(([, value]) => value === (element ?? oid)) ?? [`type ${oid}`]
  return `${name.toLowerCase()}${element === undefined ? '' : '[]'}`
}

function matches(shapes: readonly Shape[], oid: number, accepts: Accepts): boolean {
  const element = ELEMENTS.get(oid)
  const kind = KINDS.get(oid)
  if (element === undefined && kind === undefined) return true
  return shapes.every((shape) => {
    if (shape === 'any') return true
    if (typeof shape === 'object') return element !== undefined && matches(shape.elements, element, accepts)
    return kind !== undefined && accepts(kind, shape, oid)
  })
}

const isMissing = (type: Type) => (type.flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0

function classify(program: Program, type: Type): { shapes: Shape[]; isNullable: boolean } {
  const types = type.isUnionType() ? type.getTypes() : [type]
  const shapes = types.filter((each) => !isMissing(each)).map((each) => toShape(program, each))
  return { shapes, isNullable: types.some(isMissing) }
}

function toShape(program: Program, type: Type): Shape {
  if (type.flags & TypeFlags.StringLike) return 'string'
  if (type.flags & TypeFlags.NumberLike) return 'number'
  if (type.flags & TypeFlags.BooleanLike) return 'boolean'
  if (!type.isObjectType()) return 'any'
  const name = type.getSymbol()?.name
  if (name === 'Date') return 'Date'
  if (name === 'Buffer' || name === 'Uint8Array') return 'bytes'
  if (!program.isArray(type)) return 'any'
  return { elements: program.typeArgumentsOf(type).flatMap((each) => classify(program, each).shapes) }
}
