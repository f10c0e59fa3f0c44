import type { Schema } from './api-examples.ts'

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.type === 'array' && schema.items) return `${typeOf(schema.items)}[]`
  return schema.format ?? schema.type ?? 'any'
}

/** The maximum of PostgreSQL's and JavaScript's integers says nothing about the field. */
const TECHNICAL_MAXIMA = new Set([2_147_483_647, Number.MAX_SAFE_INTEGER])

function rangeOf({ minimum, maximum }: Schema): string {
  const max = maximum === undefined || TECHNICAL_MAXIMA.has(maximum) ? undefined : maximum
  if (minimum === undefined) return max === undefined ? '' : `at most ${max}`
  return max === undefined ? `at least ${minimum}` : `${minimum} to ${max}`
}

interface Row {
  name: string
  schema: Schema
  isRequired: boolean
}

/** Such as 'Optional, 1 to 100, default 20. How many scripts a page has.' */
export function descriptionOf({ schema, isRequired }: Pick<Row, 'schema' | 'isRequired'>): string {
  const { maxLength, default: defaultValue, description = '' } = schema
  const limits = [
    isRequired ? '' : 'optional',
    rangeOf(schema),
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    defaultValue === undefined ? '' : `default ${JSON.stringify(defaultValue)}`,
  ]
  const sentences = [limits.filter(Boolean).join(', '), description].filter(Boolean)
  return sentences.map((text) => text.charAt(0).toUpperCase() + text.slice(1)).join('. ')
}

/** All fields of a schema. Fields of nested objects follow, with a dotted name. */
function rowsOf(schema: Schema, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.items ?? field
    const suffix = field.items ? '[]' : ''
    const nested = inner.properties ? rowsOf(inner, `${prefix}${name}${suffix}.`) : []
    return [{ name: prefix + name, schema: field, isRequired: schema.required?.includes(name) ?? false }, ...nested]
  })
}

export function SchemaTable({ title, schema }: { title: string; schema: Schema }) {
  const rows = rowsOf(schema)
  return (
    <details className="mt-1">
      <summary className="min-h-11 content-center font-medium sm:min-h-8">
        {title}
        {rows.length === 0 && <span className="font-normal text-muted"> {typeOf(schema)}</span>}
      </summary>
      {rows.length > 0 && (
        <section className="overflow-x-auto" tabIndex={0} aria-label={title}>
          <table className="w-full text-left max-sm:block">
            <thead className="max-sm:sr-only">
              <tr className="border-b border-line text-muted">
                <th className="py-1 pr-4 font-medium">Field</th>
                <th className="py-1 pr-4 font-medium">Type</th>
                <th className="py-1 font-medium">Description</th>
              </tr>
            </thead>
            {/* On a phone, the description is below the name and the type. */}
            <tbody className="max-sm:block">
              {rows.map((row) => (
                <tr
                  key={row.name}
                  className="border-b border-line align-top max-sm:flex max-sm:flex-wrap max-sm:gap-x-3 max-sm:py-2"
                >
                  <td className="font-mono wrap-anywhere sm:py-1 sm:pr-4">{row.name}</td>
                  <td className="font-mono wrap-anywhere text-muted sm:py-1 sm:pr-4">{typeOf(row.schema)}</td>
                  <td className="text-muted empty:hidden max-sm:basis-full sm:py-1">
                    <InlineCode text={descriptionOf(row)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}

export function InlineCode({ text }: { text: string }) {
  return Array.from(text.split('`').entries(), ([index, part]) =>
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )
}
