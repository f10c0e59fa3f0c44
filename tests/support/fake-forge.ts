import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Forge } from '#server/platform/config/forges.ts'

type Files = Record<string, string | Buffer>

interface Commit {
  id: string
  message: string
  timestamp: string
  added: string[]
  modified: string[]
  removed: string[]
}

export interface Delivery {
  url: string
  headers: Record<string, string>
  payload: string
}

let serial = 0

/** A server with one public repository, owner/lamp, with the APIs and push events of GitHub or GitLab. */
export class FakeForge {
  readonly #kind: Forge['kind']
  readonly #server = createServer((request, response) => this.#answer(request.url ?? '', response))
  readonly #trees = new Map<string, Files>()
  #origin = ''
  branches: Record<string, string> = {}
  requests: string[] = []
  answer: ((response: ServerResponse) => void) | undefined

  constructor(kind: Forge['kind']) {
    this.#kind = kind
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  get forge(): Forge {
    const url = this.#origin
    return this.#kind === 'github'
      ? { kind: 'github', url, issuer: `${url}/_services/token`, apiUrl: `${url}/api/v3`, rawUrl: `${url}/raw` }
      : { kind: 'gitlab', url, issuer: url, apiUrl: `${url}/api/v4` }
  }

  /** Commits these files as the whole content of a branch. Returns the commit as push events list it. */
  commit(files: Files, { branch = 'main', message = 'Change the lamp' } = {}): Commit {
    const id = createHash('sha1').update(`commit ${++serial}`).digest('hex')
    const former = this.#trees.get(this.branches[branch] ?? '') ?? {}
    const names = Object.keys(files)
    this.#trees.set(id, files)
    this.branches[branch] = id
    return {
      id,
      message,
      timestamp: new Date().toISOString(),
      added: names.filter((name) => !(name in former)),
      modified: names.filter((name) => name in former && String(former[name]) !== String(files[name])),
      removed: Object.keys(former).filter((name) => !(name in files)),
    }
  }

  /** The body of a push event with these commits. `changes` replaces its fields. */
  push(commits: Commit[], before: string | undefined, changes: Record<string, unknown> = {}): Record<string, unknown> {
    const after = commits.at(-1)?.id
    const common = { ref: 'refs/heads/main', before: before ?? '0'.repeat(40), after, commits }
    return this.#kind === 'github'
      ? {
          ...common,
          forced: false,
          repository: { id: 1001, full_name: 'owner/lamp', pushed_at: Math.floor(Date.now() / 1000) },
          ...changes,
        }
      : {
          object_kind: 'push',
          ...common,
          total_commits_count: commits.length,
          project: { id: 2002, path_with_namespace: 'owner/lamp' },
          ...changes,
        }
  }

  /** A delivery of an event, as `app.inject` and `fetch` need it. */
  deliver(url: string, secret: string, event: unknown, headers: Record<string, string> = {}): Delivery {
    const payload = typeof event === 'string' ? event : JSON.stringify(event)
    const own =
      this.#kind === 'github'
        ? {
            'x-github-event': 'push',
            'x-github-delivery': randomUUID(),
            'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`,
          }
        : { 'x-gitlab-event': 'Push Hook', 'x-gitlab-event-uuid': randomUUID(), 'x-gitlab-token': secret }
    return { url, headers: { 'content-type': 'application/json', ...own, ...headers }, payload }
  }

  #answer(url: string, response: ServerResponse): void {
    this.requests.push(url)
    if (this.answer) return this.answer(response)
    const body = this.#kind === 'github' ? this.#findGitHub(url) : this.#findGitLab(url)
    if (body === undefined) response.writeHead(404).end('{"message":"Not Found"}')
    else response.end(typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body)
  }

  #findGitHub(url: string): string | Buffer | object | undefined {
    const [, commit = '', path = ''] = /^\/raw\/owner\/lamp\/(\w+)\/(.+)$/.exec(url) ?? []
    if (commit) return this.#trees.get(commit)?.[decodeURIComponent(path)]
    const [, file = '', ref = ''] = /^\/api\/v3\/repos\/owner\/lamp\/contents\/(.+)\?ref=(\w+)$/.exec(url) ?? []
    if (ref) return this.#trees.get(ref)?.[decodeURIComponent(file)]
    const [, branch] = /^\/api\/v3\/repos\/owner\/lamp\/commits\/heads\/(.+)$/.exec(url) ?? []
    if (branch) return this.branches[decodeURIComponent(branch)]
    const [, tree = ''] = /^\/api\/v3\/repos\/owner\/lamp\/git\/trees\/(\w+)\?recursive=1$/.exec(url) ?? []
    const files = this.#trees.get(tree)
    return files && { tree: Object.keys(files).map((name) => ({ path: name, type: 'blob' })), truncated: false }
  }

  #findGitLab(url: string): string | Buffer | object | undefined {
    const [, rest = ''] = /^\/api\/v4\/projects\/owner%2Flamp\/repository\/(.+)$/.exec(url) ?? []
    const [, path = '', commit = ''] = /^files\/([^/]+)\/raw\?ref=(\w+)$/.exec(rest) ?? []
    if (commit) return this.#trees.get(commit)?.[decodeURIComponent(path)]
    const [, branch] = /^branches\/([^/]+)$/.exec(rest) ?? []
    if (branch) return { commit: { id: this.branches[decodeURIComponent(branch)] } }
    const [, tree = '', page = '1'] = /^tree\?ref=(\w+)&recursive=true&per_page=100&page=(\d+)$/.exec(rest) ?? []
    const files = this.#trees.get(tree)
    const entries = files && Object.keys(files).map((name) => ({ path: name, type: 'blob' }))
    return entries?.slice(100 * (Number(page) - 1), 100 * Number(page))
  }
}
