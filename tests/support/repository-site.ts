import { vi } from 'vitest'
import type { RepositorySource, RepositorySync } from '#contract/repository-sync.ts'
import { createTestApp, type TestApp } from './app.ts'
import { makeMember, makeScript, signIn } from './factories.ts'
import { type Delivery, FakeForge } from './fake-forge.ts'

/** The file that the scripts of the tests are connected to. */
export const FILE = 'src/lamp.luau'

interface Connected {
  source: RepositorySource
  secret: string
  /** Path of the webhook's URL. */
  url: string
}

interface Source {
  source: RepositorySource | null
  syncs: RepositorySync[]
}

/** A site that runs jobs, servers with repositories, and an author with a script. */
export class RepositorySite {
  readonly github = new FakeForge('github')
  readonly gitlab = new FakeForge('gitlab')
  app!: TestApp
  authorId = 0
  author = { authorization: '' }
  scriptId = 0

  async start(): Promise<void> {
    await Promise.all([this.github.start(), this.gitlab.start()])
    this.app = await createTestApp({ forges: [this.github.forge, this.gitlab.forge] }, { runsJobs: true })
  }

  async close(): Promise<void> {
    await this.app.close()
    await Promise.all([this.github.close(), this.gitlab.close()])
  }

  /** Another author, and empty repositories. */
  async reset(): Promise<void> {
    for (const each of [this.github, this.gitlab])
      Object.assign(each, { answer: undefined, requests: [], branches: {} })
    this.authorId = await makeMember(this.app.db)
    this.author = await signIn(this.app.db, this.authorId)
    this.scriptId = await makeScript(this.app.db, { author_id: this.authorId, title: 'Lamp' })
  }

  put(changes: object = {}, headers: object = this.author) {
    const source = { forge: this.github.forge.url, repository: 'owner/lamp', branch: 'main', pattern: FILE }
    const payload = { script_id: this.scriptId, ...source, ...changes }
    return this.app.app.inject({ method: 'PUT', url: '/api/repository-source', headers: { ...headers }, payload })
  }

  async connect(changes: object = {}): Promise<Connected> {
    const response = await this.put(changes)
    if (response.statusCode !== 200) throw new Error(response.body)
    const { source, secret } = response.json<Connected>()
    return { source, secret, url: new URL(source.connection.webhook_url).pathname }
  }

  send({ url, headers, payload }: Delivery) {
    return this.app.app.inject({ method: 'POST', url, headers, payload })
  }

  syncNow() {
    const payload = { script_id: this.scriptId }
    return this.app.app.inject({ method: 'POST', url: '/api/repository-sync', headers: this.author, payload })
  }

  async read(id = this.scriptId): Promise<Source> {
    return (await this.app.app.inject({ url: `/api/repository-source?id=${id}`, headers: this.author })).json<Source>()
  }

  /** The log once nothing waits, neither for the repository nor for its check, newest first. */
  async finish(id = this.scriptId): Promise<RepositorySync[]> {
    const isDone = async () => (await this.read(id)).syncs.every(({ state }) => state !== 'waiting')
    await vi.waitUntil(isDone, { timeout: 30_000 })
    const isChecked = async () => {
      const { rowCount } = await this.app.pool.query("select from script_versions where state = 'checking'")
      return rowCount === 0
    }
    await vi.waitUntil(isChecked, { timeout: 30_000 })
    return (await this.read(id)).syncs
  }

  /** The current code of a script. */
  async codeOf(id = this.scriptId): Promise<string | undefined> {
    const { rows } = await this.app.pool.query<{ content: string }>(
      `select content from script_versions v join scripts s on s.id = v.script_id and s.current_version = v.number
        where s.id = $1`,
      [id],
    )
    return rows[0]?.content
  }
}
