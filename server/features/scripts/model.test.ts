import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestApp } from '#tests/support/app.ts'
import { signIn } from '#tests/support/makers.ts'
import { findLoose, sendChange, sendDelete, sendRestore, sendScript, type SignedIn } from '#tests/support/scripts.ts'

/** A script as the model knows it: its author, and every code and version number it ever had, the first one first. */
interface Known {
  id: number
  author: number
  title: string
  tags: string[]
  isPublic: boolean
  history: { content: string; version: string }[]
}

const AUTHORS = [0, 1] as const

type Step =
  | { kind: 'publish'; author: number; title: string; content: string; tags: string[]; isPublic: boolean }
  | { kind: 'change'; author: number; at: number; body: Record<string, unknown> }
  | { kind: 'restore'; author: number; at: number; number: number }
  | { kind: 'remove'; author: number; at: number }

const author = fc.constantFrom(...AUTHORS)
const at = fc.nat(5)
const title = fc.constantFrom('Alpha', 'Beta two', 'Γάμμα', '東京')
const content = fc.constantFrom('return 1', 'return 2', '-- ü\n')
const tags = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'))
const body = fc.record(
  { title, script_content: content, tags, version: fc.constantFrom('1.0.0', '2'), is_public: fc.boolean() },
  { requiredKeys: [] },
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      author,
      title,
      content,
      tags,
      isPublic: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), author, at, body }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('restore' as const), author, at, number: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), author, at }) },
)

function add(script: Known, content: string, version: string): void {
  const last = script.history.at(-1)
  if (last?.content !== content || last.version !== version) script.history.push({ content, version })
}

/** What a write by somebody must answer: no script 404, another's 403 or, where it is private, 404. */
function refusal(script: Known | undefined, who: number): number | undefined {
  if (!script) return 404
  if (script.author === who) return undefined
  return script.isPublic ? 403 : 404
}

test(
  'whatever is published, changed, restored and deleted, the catalogue is what a plain model says',
  { timeout: 60_000 },
  async () => {
    const site = await createTestApp()
    const headers: SignedIn[] = []
    for (const _ of AUTHORS) headers.push(await signIn(site.db))

    const run = async (scripts: (Known | undefined)[], taken: Step): Promise<void> => {
      const who = headers[taken.author]
      if (taken.kind === 'publish') {
        const { title, content: script_content, tags, isPublic: is_public } = taken
        const answer = await sendScript(site, who, { title, description: 'd', script_content, tags, is_public })
        const { id } = answer.json<{ script: { id: number } }>().script
        scripts.push({
          id,
          author: taken.author,
          title,
          tags,
          isPublic: is_public,
          history: [{ content: script_content, version: '1.0.0' }],
        })
        return
      }
      const script = scripts[taken.at]
      const id = script?.id ?? 2_000_000_000
      const refused = refusal(script, taken.author)
      if (taken.kind === 'remove') {
        expect((await sendDelete(site, who, id)).statusCode).toBe(refused ?? 200)
        if (!refused) scripts[taken.at] = undefined
      } else if (taken.kind === 'restore') {
        const former = script?.history[taken.number - 1]
        const answer = await sendRestore(site, who, { script_id: id, number: taken.number })
        expect(answer.statusCode).toBe(refused ?? (former ? 200 : 404))
        if (!refused && script && former) add(script, former.content, former.version)
      } else {
        const { body } = taken
        expect((await sendChange(site, who, id, body)).statusCode).toBe(refused ?? 200)
        if (refused || !script) return
        script.title = (body.title as string | undefined) ?? script.title
        script.tags = (body.tags as string[] | undefined) ?? script.tags
        script.isPublic = (body.is_public as boolean | undefined) ?? script.isPublic
        const last = script.history.at(-1) ?? { content: '', version: '' }
        add(
          script,
          (body.script_content as string | undefined) ?? last.content,
          (body.version as string | undefined) ?? last.version,
        )
      }
    }

    const compare = async (scripts: (Known | undefined)[]): Promise<void> => {
      expect(await findLoose(site.db)).toEqual([])
      const present = scripts.filter((script) => script !== undefined)
      const listed = (await site.app.inject('/api/scripts?limit=100&order=asc')).json<{
        scripts: { id: number; title: string; tags: { name: string }[] }[]
      }>()
      const wanted = present.filter(({ isPublic }) => isPublic)
      expect(listed.scripts.map(({ id, title, tags }) => ({ id, title, tags: tags.map(({ name }) => name) }))).toEqual(
        wanted.map(({ id, title, tags }) => ({ id, title, tags })),
      )
      const counted = (await site.app.inject('/api/script-tags')).json<{ tags: { name: string; count: number }[] }>()
        .tags
      const carrying = (name: string) => wanted.filter(({ tags }) => tags.includes(name)).length
      expect(Object.fromEntries(counted.map(({ name, count }) => [name, count]))).toEqual(
        Object.fromEntries(['a', 'b', 'c'].map((name) => [name, carrying(name)]).filter(([, count]) => count !== 0)),
      )
      for (const { id, author, history } of present) {
        const answer = await site.app.inject({ url: `/api/script-versions?id=${id}`, headers: headers[author] ?? {} })
        const versions = answer.json<{ versions: { version: string; size: number }[] }>().versions
        expect(versions.map(({ version, size }) => [version, size]).toReversed()).toEqual(
          history.map(({ content, version }) => [version, Buffer.byteLength(content)]),
        )
      }
    }

    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
          await site.db.deleteFrom('scripts').execute()
          site.catalogue.noteChanged([])
          const scripts: (Known | undefined)[] = []
          for (const taken of steps) await run(scripts, taken)
          await compare(scripts)
        }),
        { numRuns: 40 },
      )
    } finally {
      await site.close()
    }
  },
)
