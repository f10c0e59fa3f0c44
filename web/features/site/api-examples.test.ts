import Value from 'typebox/value'
import { describe, expect, test } from 'vitest'
import type { Operation } from '#contract/operation.ts'
import { operations } from '#contract/operations.ts'
import { exampleOf, pathWithExamples, type Schema } from './api-examples.ts'

const values = { id: 7, slug: 'camera-shake-7', author: 'ada' }
const all: [string, Operation][] = Object.entries(operations)

describe('the example of', () => {
  test.each(all.filter(([, { body }]) => body))('the body of %s fits its schema', (_name, { body }) => {
    const example = exampleOf(body as Schema, values)
    expect([...Value.Errors(body ?? {}, example)]).toEqual([])
  })

  test.each(all.filter(([, { query }]) => query?.required?.length))(
    'the query of %s fits its schema',
    (name, { query }) => {
      const parameters = Object.entries(query?.properties ?? {}).map(([field, schema]) => ({
        name: field,
        in: 'query' as const,
        required: query?.required?.includes(field) === true && !('default' in schema),
        schema: schema as Schema,
      }))
      const path = pathWithExamples(name, { tags: [], summary: '', 'x-access': '', parameters, responses: {} }, values)
      const input = Object.fromEntries(new URLSearchParams(path.split('?')[1]))
      const converted = Value.Convert(query ?? {}, Value.Default(query ?? {}, input))
      expect([...Value.Errors(query ?? {}, converted)]).toEqual([])
    },
  )
})
