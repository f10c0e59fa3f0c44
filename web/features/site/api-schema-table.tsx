import type { Schema } from './api-examples.ts'

function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (schema.type === 'array' && schema.items) return `${typeOf(schema.items)}[]`
  return schema.format ?? schema.type ?? 'any'
}

function limitsOf({ minimum, maximum, maxLength, default: defaultValue }: Schema): string {
  return [
    minimum === undefined ? '' : `from ${minimum}`,
    maximum === undefined ? '' : `to ${maximum}`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    defaultValue === undefined ? '' : `default ${JSON.stringify(defaultValue)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

interface Row {
  name: string
  schema: Schema
  isRequired: boolean
}

function descriptionOf({ schema, isRequired }: Row): string {
  return [isRequired ? '' : 'optional', limitsOf(schema), schema.description ?? ''].filter(Boolean).join('; ')
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

/** The fields of a schema, collapsed. */
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
          <table className="w-full text-left">
            <thead>
              <tr className="border-b border-line text-muted">
                <th className="py-1 pr-4 font-medium">Field</th>
                <th className="py-1 pr-4 font-medium">Type</th>
                <th className="py-1 font-medium">Description</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.name} className="border-b border-line align-top">
                  <td className="py-1 pr-4 font-mono">{row.name}</td>
                  <td className="py-1 pr-4 font-mono break-words text-muted">{typeOf(row.schema)}</td>
                  <td className="py-1 text-muted">
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

/** Renders text between backticks as code. */
export function InlineCode({ text }: { text: string }) {
  return Array.from(text.split('`').entries(), ([index, part]) =>
    index % 2 === 1 ? <code key={index}>{part}</code> : part,
  )
}
