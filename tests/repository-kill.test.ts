import { afterAll, expect, test } from 'vitest'
import { AttackedSite } from '#lab/attack/site.ts'
import { FakeForge } from '#tests/support/fake-forge.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'

const site = new AttackedSite()
const github = new FakeForge('github')
afterAll(async () => {
  await site.close()
  await github.close()
})

test('a push that was accepted before kill -9 is published once, although its file was being fetched', async () => {
  await github.start()
  await site.start({ GITHUB_SERVERS: github.forge.url })
  const origin = `http://127.0.0.1:${site.port}`
  const authorId = await makeMember(site.db)
  const script_id = await makeScript(site.db, { author_id: authorId })
  const connected = await fetch(`${origin}/api/repository-source`, {
    method: 'PUT',
    headers: { ...(await signIn(site.db, authorId)), 'content-type': 'application/json' },
    body: JSON.stringify({
      script_id,
      forge: github.forge.url,
      repository: 'owner/lamp',
      branch: 'main',
      pattern: 'lamp.luau',
    }),
  })
  expect(connected.status).toBe(200)
  const { source, secret } = (await connected.json()) as {
    source: { connection: { webhook_url: string } }
    secret: string
  }
  const path = new URL(source.connection.webhook_url).pathname
  const push = async (code: string) => {
    const commit = github.commit({ 'lamp.luau': code })
    const { headers, payload } = github.deliver(path, secret, github.push([commit], undefined))
    expect((await fetch(origin + path, { method: 'POST', headers, body: payload })).status).toBe(202)
  }
  const restart = async () => {
    await site.kill('SIGKILL')
    github.answer = undefined
    await site.start({ GITHUB_SERVERS: github.forge.url })
    expect(await site.waitUntilReady()).toBe(true)
  }
  /** Lets the jobs of the dead process start now, as if their time were over. */
  const repeatJobs = (startedAt: Date) =>
    site.pool.query(
      `update jobs.job set state = 'retry', start_after = now()
       where state = 'retry' or (state = 'active' and started_on < $1)`,
      [startedAt],
    )
  const readVersions = async () => {
    const { rows } = await site.pool.query<{ content: string }>(
      'select content from script_versions where script_id = $1 order by number',
      [script_id],
    )
    return rows.map(({ content }) => content)
  }
  const { promise: isRequested, resolve } = Promise.withResolvers<unknown>()
  github.answer = resolve
  await push('return "first"')
  await isRequested
  await restart()
  const startedAt = new Date()
  await expect
    .poll(async () => (await repeatJobs(startedAt), await readVersions()), { timeout: 120_000, interval: 500 })
    .toEqual(['return 1', 'return "first"'])
  const { rows } = await site.pool.query('select state from repository_syncs order by id')
  expect(rows.every(({ state }) => state === 'published' || state === 'unchanged')).toBe(true)
}, 300_000)
