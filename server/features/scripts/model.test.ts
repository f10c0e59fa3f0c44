import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { signIn } from '#tests/support/factories.ts'
import { anyStep, ScriptModel, type Step } from '#tests/support/script-model.ts'
import { repetitions } from '#tests/support/seed.ts'
import {
  findInconsistencies,
  sendChange,
  sendDelete,
  sendRestore,
  sendScript,
  type SignedIn,
} from '#tests/support/scripts.ts'

let site: TestApp
let members: SignedIn[]
beforeAll(async () => {
  site = await createTestApp()
  members = [await signIn(site.db), await signIn(site.db)]
})
afterAll(() => site.close())

function send(step: Step, id: number) {
  const member = members[step.author]
  switch (step.kind) {
    case 'publish':
      return sendScript(site, member, step.form)
    case 'change':
      return sendChange(site, member, id, step.form)
    case 'restore':
      return sendRestore(site, member, { script_id: id, number: step.number })
    case 'remove':
      return sendDelete(site, member, id)
  }
}

async function runStep(model: ScriptModel, step: Step): Promise<void> {
  const response = await send(step, model.idOf(step))
  const expected =
    step.kind === 'publish'
      ? model.publish(response.json<{ script: { id: number } }>().script.id, step.author, step.form)
      : model.take(step)
  expect(response.statusCode).toBe(expected)
}

const read = async <T>(url: string, author?: number): Promise<T> =>
  (await site.app.inject({ url, headers: author === undefined ? {} : (members[author] ?? {}) })).json()
const namesOf = (tags: { name: string }[]) => tags.map(({ name }) => name)

async function compare(model: ScriptModel): Promise<void> {
  const listed = model.present.filter(({ isPublic }) => isPublic)
  const { scripts } = await read<{ scripts: { id: number; title: string; tags: { name: string }[] }[] }>(
    '/api/scripts?limit=100&order=asc',
  )
  expect(scripts.map(({ id, title, tags }) => ({ id, title, tags: namesOf(tags) }))).toEqual(
    listed.map(({ id, title, tags }) => ({ id, title, tags })),
  )

  const { tags } = await read<{ tags: { name: string; count: number }[] }>('/api/script-tags')
  const counts = ['a', 'b', 'c'].map((name) => [name, listed.filter((script) => script.tags.includes(name)).length])
  expect(new Map(tags.map(({ name, count }) => [name, count]))).toEqual(
    new Map(counts.filter(([, count]) => count !== 0) as [string, number][]),
  )

  for (const { id, author, history } of model.present) {
    const { versions } = await read<{ versions: { version: string; size: number }[] }>(
      `/api/script-versions?id=${id}`,
      author,
    )
    expect(versions.map(({ version, size }) => ({ version, size })).toReversed()).toEqual(
      history.map(({ content, version }) => ({ version, size: Buffer.byteLength(content) })),
    )
  }
}

test('random sequences of publishing, changing, restoring and deleting by two members match a simple model', async () => {
  const property = fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 30 }), async (steps) => {
    await site.db.deleteFrom('scripts').execute()
    site.catalogue.invalidate([])
    const model = new ScriptModel()
    for (const step of steps) await runStep(model, step)
    await compare(model)
    expect(await findInconsistencies(site.db)).toEqual([])
  })
  await fc.assert(property, { numRuns: repetitions(15, 40) })
}, 180_000)
