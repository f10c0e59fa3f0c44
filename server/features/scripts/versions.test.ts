import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_VERSIONS } from '#contract/limits.ts'
import { type ScriptVersion, type Script, scriptOperations } from '#contract/scripts.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { signIn } from '#tests/support/factories.ts'
import { findInconsistencies, publish, sendChange, sendRestore, type SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
let member: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  member = await signIn(site.db)
})
const checkConsistency = async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
}
afterAll(async () => {
  await checkConsistency()
  await site.close()
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const versionsOf = async (id: number): Promise<ScriptVersion[]> => {
  const response = await site.app.inject(`/api/script-versions?id=${id}`)
  expect(Value.Check(scriptOperations['GET /api/script-versions'].response[200], response.json())).toBe(true)
  return response.json<{ versions: ScriptVersion[] }>().versions
}
const change = async (id: number, body: object) => {
  const response = await sendChange(site, member, id, body)
  expect(response.statusCode, response.payload).toBe(200)
}
const restore = async (id: number, number: number): Promise<Script> => {
  const response = await sendRestore(site, member, { script_id: id, number })
  expect(response.statusCode, response.payload).toBe(200)
  return response.json<{ script: Script }>().script
}

describe('the version history', () => {
  test('starts with the first version', async () => {
    const id = await publish(site, member, { version: '0.1' })
    expect(await versionsOf(id)).toEqual([
      {
        number: 1,
        version: '0.1',
        changelog: null,
        changelog_details: null,
        size: 8,
        sha256: sha256('return 1'),
        is_current: true,
        created_at: expect.any(String),
        state: 'current',
        state_since: expect.any(String),
        provenance: {
          by: 'web',
          repository: null,
          commit: null,
          workflow: null,
          run_url: null,
          matches_commit: null,
        },
        token_name: null,
        held: null,
        discard_reason: null,
        withdrawn: null,
      },
    ])
  })

  test('has notes in Markdown, of which the script has the text', async () => {
    const id = await publish(site, member)
    const changelog = '**Breaking:** `step` takes the [frame time](https://example.com)'
    await change(id, { script_content: 'return 2', changelog })
    expect((await versionsOf(id))[0]?.changelog).toBe(changelog)
    const { script } = (await site.app.inject(`/api/script-details-slug?slug=x-${id}`)).json<{ script: Script }>()
    expect(script.changelog).toBe('Breaking: step takes the frame time')
  })

  test('has notes whose first line is the subject, which lists show alone', async () => {
    const id = await publish(site, member)
    await change(id, { script_content: 'return 2', changelog: ' Doors **open**. \r\n\r\n- One\r\n- Two\r\n' })
    const [version] = await versionsOf(id)
    expect(version?.changelog).toBe('Doors **open**.')
    expect(version?.changelog_details).toBe('- One\n- Two')
    const { script } = (await site.app.inject(`/api/script-details-slug?slug=x-${id}`)).json<{ script: Script }>()
    expect(script.changelog).toBe('Doors open.')
    const notes = `${'s'.repeat(200)}\n${'d'.repeat(1799)}`
    await change(id, { script_content: 'return 3', changelog: notes })
    expect((await versionsOf(id))[0]?.changelog_details).toBe('d'.repeat(1799))
    expect(script.changelog_markdown).toMatch(/^Doors \*\*open\*\*\.\s+- One\n- Two$/)
  })

  test('grows only with changes of the code or the version number', async () => {
    const id = await publish(site, member)
    await change(id, { script_content: 'return 2', version: '1.0.1', changelog: ' Faster now ' })
    await change(id, { version: '1.1.0' })
    await change(id, { script_content: 'return 2', version: '1.1.0', changelog: 'Nothing' })
    await change(id, { title: 'Other', tags: ['x'], is_free: false, changelog: 'Words' })
    await change(id, { script_content: 'return 3', version: '2' })
    const seen = (await versionsOf(id)).map((v) => [v.number, v.version, v.sha256, v.changelog, v.is_current])
    expect(seen).toEqual([
      [4, '2', sha256('return 3'), null, true],
      [3, '1.1.0', sha256('return 2'), null, false],
      [2, '1.0.1', sha256('return 2'), 'Faster now', false],
      [1, '1.0.0', sha256('return 1'), null, false],
    ])
  })

  test('is summed up on the script: the number of versions and the note of the current one', async () => {
    const id = await publish(site, member)
    const read = async () => {
      const response = await site.app.inject(`/api/script-details-slug?slug=x-${id}`)
      const { version_count, changelog } = response.json<{ script: Script }>().script
      return [version_count, changelog]
    }
    expect(await read()).toEqual([1, null])
    await change(id, { script_content: 'return 2', version: '1.1.0', changelog: 'Doors open again.' })
    expect(await read()).toEqual([2, 'Doors open again.'])
    await change(id, { title: 'Another title' })
    expect(await read()).toEqual([2, 'Doors open again.'])
  })

  test('returns the code of each version by SHA-256 and by number', async () => {
    const id = await publish(site, member, { script_content: 'return "ä"' })
    await change(id, { script_content: 'return "ö"\r\n' })
    for (const [number, content] of ['return "ä"', 'return "ö"\r\n'].entries()) {
      for (const hash of [sha256(content), sha256(content).toUpperCase()]) {
        const response = await site.app.inject(`/raw/x-${id}?sha256=${hash}`)
        expect(response.rawPayload).toEqual(Buffer.from(content))
        expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
      }
      const response = await site.app.inject(`/api/script-version?id=${id}&number=${number + 1}`)
      expect(Value.Check(scriptOperations['GET /api/script-version'].response[200], response.json())).toBe(true)
      expect(response.json()).toMatchObject({ version: { number: number + 1, script_content: content } })
    }
  })

  test('returns the version that a loader has pinned, or a comment, never another version', async () => {
    const id = await publish(site, member, { script_content: 'return 1' })
    await change(id, { script_content: 'return 2' })
    await change(id, { script_content: 'return 1' })
    const raw = (query: string) => site.app.inject(`/raw/x-${id}${query}`)
    for (const [query, content] of [
      ['', 'return 1'],
      ['?version=1', 'return 1'],
      ['?version=2', 'return 2'],
      ['?version=3', 'return 1'],
      [`?version=1&sha256=${sha256('return 1')}`, 'return 1'],
    ]) {
      const response = await raw(query ?? '')
      expect([response.statusCode, response.body]).toEqual([200, content])
    }
    for (const [query, status, comment] of [
      ['?version=4', 404, '-- This script was not found.\n'],
      [`?version=2&sha256=${sha256('return 1')}`, 404, '-- This script was not found.\n'],
      ['?sha256=', 404, '-- This script was not found.\n'],
      ['?version=', 400, '-- Version must be a whole number.\n'],
      ['?version=1.0.0', 400, '-- Version must be a whole number.\n'],
      ['?version=0', 400, '-- Version must be at least 1.\n'],
      ['?version=1&version=2', 400, '-- Version may appear only once.\n'],
      ['?v=1', 400, '-- The request has an unknown parameter: v.\n'],
      ['?a%0Aerror()=1', 400, '-- The request has an unknown parameter: a error().\n'],
    ] as const) {
      const response = await raw(query)
      expect([response.statusCode, response.body]).toEqual([status, comment])
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
      expect(response.headers['cache-control']).toBe('no-store')
    }
  })

  test('returns 404 for an unknown hash, another script and an unknown number', async () => {
    const id = await publish(site, member)
    const other = await publish(site, member, { script_content: 'return "other"' })
    const hashes = [sha256('return "other"'), 'x', '0'.repeat(64), `${sha256('return 1')}0`]
    for (const hash of hashes) {
      const response = await site.app.inject(`/raw/x-${id}?sha256=${hash}`)
      expect(response.statusCode, hash).toBe(404)
      expect(response.headers['content-type']).toContain('text/plain')
    }
    const repeated = await site.app.inject(`/raw/x-${id}?sha256=${sha256('return 1')}&sha256=${sha256('return 1')}`)
    expect(repeated.statusCode).toBe(400)
    expect((await site.app.inject(`/raw/x-${other}?sha256=${hashes[0]}`)).statusCode).toBe(200)
    expect((await site.app.inject(`/api/script-version?id=${id}&number=2`)).statusCode).toBe(404)
    expect((await site.app.inject(`/api/script-version?id=${id}&number=0`)).statusCode).toBe(400)
  })

  test(`keeps the newest ${MAX_VERSIONS} versions, including the current one`, async () => {
    const id = await publish(site, member)
    for (let n = 2; n <= MAX_VERSIONS; n++) await change(id, { script_content: `return ${n}` })
    expect((await versionsOf(id)).at(-1)?.number).toBe(1)
    await change(id, { script_content: 'return "more"' })
    await restore(id, 2)
    const numbers = (await versionsOf(id)).map(({ number }) => number)
    expect(numbers).toEqual(Array.from({ length: MAX_VERSIONS }, (_, n) => MAX_VERSIONS + 2 - n))
    expect((await sendRestore(site, member, { script_id: id, number: 1 })).statusCode).toBe(404)
  })

  test.each([0, 1, 2, 3])(
    'stays consistent when the oldest version is restored while it is removed, round %d',
    async () => {
      const id = await publish(site, member)
      await site.db
        .insertInto('script_versions')
        .values(
          Array.from({ length: MAX_VERSIONS - 1 }, (_, n) => {
            const content = `return ${n + 2}`
            const size = Buffer.byteLength(content)
            return { script_id: id, number: n + 2, version: '1.0.0', content, size, sha256: sha256(content) }
          }),
        )
        .execute()
      await sql`update script_versions set state_since = now() + make_interval(secs => number) - interval '1 hour'
        where script_id = ${id}`.execute(site.db)
      const newest = { current_version: MAX_VERSIONS, file_size: `return ${MAX_VERSIONS}`.length }
      await site.db.updateTable('scripts').set(newest).where('id', '=', id).execute()
      const responses = await Promise.all([
        sendRestore(site, member, { script_id: id, number: 1 }),
        ...[1, 2, 3].map((n) => sendChange(site, member, id, { script_content: `return "new ${n}"` })),
      ])
      expect([200, 404]).toContain(responses[0]?.statusCode)
      expect(await findInconsistencies(site.db)).toEqual([])
      expect(await versionsOf(id)).toHaveLength(MAX_VERSIONS)
    },
  )
})

describe('restoring a version', () => {
  test('creates a version with the old code and the next number', async () => {
    const id = await publish(site, member)
    await change(id, { script_content: 'return "longer"', version: '2' })
    const before = await restore(id, 2)
    const script = await restore(id, 1)
    expect(script).toMatchObject({ script_content: 'return 1', version: '3', file_size: 8 })
    expect(script.updated_at > before.updated_at).toBe(true)
    const seen = (await versionsOf(id)).map((v) => [v.number, v.version, v.size, v.changelog])
    expect(seen).toEqual([
      [3, '3', 8, 'Restored 1.0.0'],
      [2, '2', 15, null],
      [1, '1.0.0', 8, null],
    ])
    expect((await site.app.inject(`/raw/x-${id}`)).payload).toBe('return 1')
  })

  test('changes nothing if its code is current', async () => {
    const id = await publish(site, member)
    await restore(id, 1)
    await change(id, { version: '2' })
    await restore(id, 1)
    expect(await versionsOf(id)).toHaveLength(2)
  })

  test('creates one version for 20 concurrent requests', async () => {
    const id = await publish(site, member)
    await change(id, { script_content: 'return 2' })
    await Promise.all(Array.from({ length: 20 }, () => restore(id, 1)))
    expect(await versionsOf(id)).toHaveLength(3)
  })

  test.each([
    {},
    { script_id: 1 },
    { script_id: 1, number: 0 },
    { script_id: '1', number: 1 },
    { script_id: 1, number: 2 ** 31 },
    null,
  ])('rejects %j', async (body) => {
    expect((await sendRestore(site, member, body)).statusCode).toBe(400)
  })
})
