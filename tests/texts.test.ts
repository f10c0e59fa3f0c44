// Sends texts with invisible, control and text-direction characters in every field of every operation, and then looks at what
// the database has.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OperationName, operations } from '#contract/operations.ts'
import type { Operation } from '#contract/operation.ts'
import { TEXT_COLUMNS } from '#server/platform/db/text-columns.ts'
import { RIGHTS } from '#tests/actors/expected.ts'
import { type Actor, makeScene, type Scene } from '#tests/actors/scene.ts'
import { send } from '#tests/actors/send.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { EMAIL } from '#tests/support/email.ts'

let site: TestApp
beforeAll(async () => {
  site = await createTestApp({ email: EMAIL })
})
afterAll(() => site.close())

interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** Whether a field takes any text, or a list of any texts. */
function takesText({ type, enum: only, anyOf = [], items, ...rest }: Schema): 'text' | 'list' | undefined {
  if (type === 'string' && !only && !('const' in rest)) return 'text'
  if (type === 'array' && items && takesText(items) === 'text') return 'list'
  return anyOf.map(takesText).find((kind) => kind !== undefined)
}

/** Ids for the required fields of operations with several forms. */
const idsIn = (scene: Scene): Record<string, unknown> => ({
  user_id: scene.ownerId,
  user_ids: [scene.ownerId],
  script_id: scene.scriptId,
  script_ids: [scene.scriptId],
})

const REQUIRED_TEXTS: Record<string, unknown> = { reason: 'Too loud.', title: 'Title', end_date: '2090-01-31' }

/** A body for each form of an operation. */
function bodiesOf(schema: Schema, scene: Scene, sample: object): { form: Schema; body: Record<string, unknown> }[] {
  const action = 'action' in sample ? sample.action : undefined
  return (schema.anyOf ?? [schema]).map((form) => {
    const { properties = {}, required = [] } = form
    const own = properties['action']?.const ?? properties['action']?.enum?.[0]
    if (own === action) return { form, body: { ...sample } }
    const known = { ...idsIn(scene), ...REQUIRED_TEXTS, ...(own === undefined ? {} : { action: own }) }
    return { form, body: Object.fromEntries(required.map((name) => [name, (known as Record<string, unknown>)[name]])) }
  })
}

const actorOf = (name: OperationName): Actor | undefined =>
  (['owner', 'member', 'moderator', 'admin'] as const).find((actor) => RIGHTS[name].expected[actor] < 300)

const CLEANED = ['\u200B', '\uFEFF', '\u202E', '\u2066', '\u0085', '\u0093', '\u000B', '\u2028', '\u00AD']
const REJECTED = ['\0', '\uD800']

const writes = (Object.keys(operations) as OperationName[]).filter((name) => 'body' in operations[name])
/** Every field that stored a text with a zero-width space. */
const accepted = new Set<string>()

test.each(writes)('no field of %s breaks on such texts', async (name) => {
  const actor = actorOf(name)
  if (!actor) return
  const scene = await makeScene(site, actor)
  const { payload = {}, ...call } = RIGHTS[name].call?.(scene) ?? {}
  for (const { form, body } of bodiesOf((operations[name] as Operation).body as Schema, scene, payload)) {
    for (const [field, schema] of Object.entries(form.properties ?? {})) {
      const kind = takesText(schema)
      for (const sign of kind ? [...CLEANED, ...REJECTED] : []) {
        const text = `a${sign}b`
        const response = await send(
          site,
          name,
          { ...call, payload: { ...body, [field]: kind === 'list' ? [text] : text } },
          scene.headers,
        )
        const isAllowed = REJECTED.includes(sign) ? response.statusCode === 400 : response.statusCode < 500
        expect(isAllowed, `${field} ${JSON.stringify(text)}: ${response.body}`).toBe(true)
        if (sign === '\u200B' && response.statusCode < 300) accepted.add(`${name} ${field}`)
      }
    }
  }
})

/** What is no text of people: code, bytes for others, what browsers and servers say. */
const OTHERS = new Set(['script_versions.content', 'webhook_events.body', 'script_search.document'])
/** Copies of texts of several lines. */
const COPIES = new Set(['audit_log.before', 'audit_log.after'])

test('and nothing invisible is stored', async () => {
  for (const field of ['POST /api/scripts title', 'POST /api/scripts tags', 'PUT /api/script-details summary']) {
    expect([...accepted]).toContain(field)
  }
  for (const field of ['PUT /api/user-profiles display_name', 'POST /api/collections name', 'POST /api/tokens name']) {
    expect([...accepted]).toContain(field)
  }
  expect(accepted.size).toBeGreaterThan(35)
  const { rows: columns } = await sql<{
    table: string
    column: string
  }>`select table_name as table, column_name as column
    from information_schema.columns where table_schema = 'public' and data_type in ('text', 'jsonb', 'ARRAY')`.execute(
    site.db,
  )
  const found: string[] = []
  for (const { table, column } of columns) {
    if (OTHERS.has(`${table}.${column}`)) continue
    const isText =
      COPIES.has(`${table}.${column}`) || TEXT_COLUMNS[table as keyof typeof TEXT_COLUMNS]?.texts?.includes(column)
    const pattern = isText
      ? String.raw`[\u000b\u0080-\u009f\u2028\ufeff]|\u202e(?!.*\u202c)|\u2066(?!.*\u2069)`
      : String.raw`[\u000b\u0080-\u009f\u00ad\u200b\u2028\u202e\u2066\ufeff]`
    const { rows } = await sql<{ value: string }>`select ${sql.ref(column)}::text as value from ${sql.table(table)}
      where ${sql.ref(column)}::text ~ ${pattern} limit 3`.execute(site.db)
    if (rows.length > 0) found.push(`${table}.${column}: ${JSON.stringify(rows)}`)
  }
  expect(found).toEqual([])
})
