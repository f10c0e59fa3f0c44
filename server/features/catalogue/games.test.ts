import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Game, ScriptList, SearchSuggestions } from '#contract/catalogue.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { signInModerator } from '#tests/support/releases.ts'
import { publish as publishAny, sendChange, sendScript, type SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
let author: SignedIn
let other: SignedIn
let moderator: SignedIn
let nextGame = 5000

const publish = (headers: SignedIn, fields: Record<string, unknown>) =>
  publishAny(site, headers, { is_universal: false, ...fields })
const newGame = () => String(nextGame++)
const readGame = (id: string) => site.app.inject(`/api/game?id=${id}`)
const nameOf = async (id: string) => (await readGame(id)).json<{ game: Game }>().game.name
const list = async (query: string) => {
  const { scripts, pagination } = (await site.app.inject(`/api/scripts?${query}`)).json<ScriptList>()
  return { ids: scripts.map(({ id }) => id), total: pagination.total, scripts }
}
const suggestedGames = async (q: string) =>
  (await site.app.inject(`/api/search-suggestions?${new URLSearchParams({ q })}`)).json<SearchSuggestions>().games
const rename = (headers: SignedIn | undefined, id: string, name: string) =>
  site.app.inject({
    method: 'PUT',
    url: '/api/game',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ id, name }),
  })

describe.each(['memory', 'database'] as const)('games from %s', (catalogueIndex) => {
  beforeAll(async () => {
    site = await createTestApp({ catalogueIndex })
    author = await signIn(site.db, await makeMember(site.db, { display_name: 'Ada' }))
    other = await signIn(site.db)
    moderator = await signInModerator(site)
    await vi.waitUntil(() => site.catalogue.isInMemory === (catalogueIndex === 'memory'), { timeout: 60_000 })
  })
  afterAll(() => site.close())

  test('a game lists its public scripts exactly, and is missing without any', async () => {
    const game_id = newGame()
    expect((await readGame(game_id)).statusCode).toBe(404)
    const first = await publish(author, { game_id, title: 'First' })
    const second = await publish(other, { game_id, title: 'Second' })
    await publish(author, { game_id: `${game_id}0`, title: 'Of another game' })
    await publish(author, { game_id, title: 'Private', is_public: false })
    const page = await readGame(game_id)
    expect([page.statusCode, page.json()]).toEqual([200, { game: { game_id, name: null, script_count: 2 } }])
    expect(await list(`game=${game_id}`)).toMatchObject({ ids: [second, first], total: 2 })
    expect((await site.app.inject(`/api/v1/games/${game_id}`)).json()).toEqual(page.json())
    expect(await list(`game=${game_id}&search=first`)).toMatchObject({ ids: [first], total: 1 })

    await sendChange(site, author, first, { is_public: false })
    await sendChange(site, other, second, { is_universal: true })
    expect((await readGame(game_id)).json()).toMatchObject({ code: 'game_not_found' })
    expect(await list(`game=${game_id}`)).toMatchObject({ ids: [], total: 0 })
  })

  test('the first author names a game, and later ones do not change the name', async () => {
    const game_id = newGame()
    const id = await publish(author, { game_id, game_name: '  Brook   Haven ' })
    await publish(other, { game_id, game_name: 'Nonsense' })
    expect(await nameOf(game_id)).toBe('Brook Haven')
    expect((await list(`game=${game_id}`)).scripts.map(({ game_name }) => game_name)).toEqual(
      Array.from({ length: 2 }, () => 'Brook Haven'),
    )
    await sendChange(site, author, id, { game_name: 'Changed' })
    expect(await nameOf(game_id)).toBe('Brook Haven')
  })

  test('scripts for a game without a name are found by the name that a later author enters', async () => {
    const game_id = newGame()
    const first = await publish(author, { game_id, title: 'Plain' })
    const second = await publish(other, { game_id, title: 'Other', game_name: 'Zeppelin Isles' })
    expect((await list('search=zeppelin')).ids).toEqual([second, first])
    await sendChange(site, author, first, { game_id: newGame() })
    expect((await list('search=zeppelin')).ids).toEqual([second])
    await sendChange(site, author, first, { game_id })
    expect((await list('search=zeppelin')).ids).toEqual([second, first])
  })

  test('a name entered with a private script gives way to that of the first public one', async () => {
    const game_id = newGame()
    await publish(author, { game_id, is_public: false, game_name: 'Squatted' })
    expect(await suggestedGames('squatted')).toEqual([])
    await publish(other, { game_id, game_name: 'Harbor Town' })
    expect(await nameOf(game_id)).toBe('Harbor Town')
    expect(await suggestedGames('squatted')).toEqual([])
  })

  test('suggestions find games by any words of their names, those with the most scripts first', async () => {
    const [small, large] = [newGame(), newGame()]
    await publish(author, { game_id: small, game_name: 'Quokka Racing' })
    await publish(author, { game_id: large, game_name: 'Super Quokka' })
    await publish(other, { game_id: large })
    expect(await suggestedGames('quok')).toEqual([
      { game_id: large, name: 'Super Quokka', script_count: 2 },
      { game_id: small, name: 'Quokka Racing', script_count: 1 },
    ])
    expect(await suggestedGames('racing quokka')).toMatchObject([{ game_id: small }])
    expect((await site.app.inject('/api/opensearch-suggestions?q=quokka')).json()).toEqual([
      'quokka',
      ['Super Quokka', 'Quokka Racing'],
    ])
  })

  test('a moderator renames a game, which is audited and holds against authors', async () => {
    const game_id = newGame()
    const id = await publish(author, { game_id, title: 'Tool', game_name: 'Rude Name' })
    expect((await rename(author, game_id, 'Mine')).statusCode).toBe(403)
    expect((await rename(moderator, newGame(), 'None')).json()).toMatchObject({ code: 'game_not_found' })
    expect((await rename(moderator, game_id, ' ')).json()).toMatchObject({
      fields: { name: 'Game name must not be empty.' },
    })
    const renamed = await rename(moderator, game_id, 'Vermilion Bay')
    expect(renamed.json()).toEqual({ game: { game_id, name: 'Vermilion Bay', script_count: 1 } })
    expect((await list('search=vermilion')).ids).toEqual([id])
    expect((await list('search=rude')).ids).toEqual([])
    expect((await list(`game=${game_id}`)).scripts[0]?.game_name).toBe('Vermilion Bay')
    const { rows } = await sql<{ before: unknown; after: unknown }>`select before, after from audit_log
      where action = 'name_game' order by id desc limit 1`.execute(site.db)
    expect(rows).toEqual([{ before: { name: 'Rude Name' }, after: { name: 'Vermilion Bay' } }])

    await sendChange(site, author, id, { is_public: false })
    await publish(other, { game_id, game_name: 'Rude Again' })
    expect(await nameOf(game_id)).toBe('Vermilion Bay')
  })

  test('names are checked like titles', async () => {
    const send = (game_name: string) =>
      sendScript(site, author, {
        title: 'A',
        description: 'B.',
        script_content: 'return 1',
        is_universal: false,
        game_id: newGame(),
        game_name,
      })
    expect((await send('x'.repeat(101))).json()).toMatchObject({
      fields: { game_name: 'Game name must have at most 100 characters.' },
    })
    expect((await send('a\u0000b')).statusCode).toBe(400)
    expect((await send('   ')).statusCode).toBe(201)
  })

  test('the feed and the sitemap contain the game', async () => {
    const game_id = newGame()
    await publish(author, { game_id, title: 'Fed', game_name: 'Feed Falls' })
    const feed = (await site.app.inject(`/feeds/scripts.json?game=${game_id}`)).json<{
      title: string
      home_page_url: string
      items: { title: string }[]
    }>()
    expect(feed.title).toMatch(/^New scripts for Feed Falls/)
    expect(feed.home_page_url).toMatch(new RegExp(`/games/${game_id}$`))
    expect(feed.items.map(({ title }) => title)).toEqual(['Fed'])
    expect((await site.app.inject('/sitemap.xml')).body).toContain('/sitemap/games-1.xml.gz')
    const { rawPayload } = await site.app.inject('/sitemap/games-1.xml.gz')
    expect(gunzipSync(rawPayload).toString()).toContain(`/games/${game_id}<`)
  })

  test.each(['x', '1'.repeat(21), '-1', '1 2'])('the id %j is rejected', async (id) => {
    expect((await site.app.inject(`/api/game?${new URLSearchParams({ id })}`)).statusCode).toBe(400)
    expect((await site.app.inject(`/api/scripts?${new URLSearchParams({ game: id })}`)).statusCode).toBe(400)
  })
})

// The document of a script that is published while its game gets a name must have the name, whichever commits first.
test('concurrent publishing and naming leave no script without the name', async () => {
  site = await createTestApp()
  const authors = await Promise.all(Array.from({ length: 6 }, () => signIn(site.db)))
  for (let round = 0; round < 8; round++) {
    const game_id = newGame()
    const name = `Racegame${round}`
    await Promise.all(
      authors.map((headers, i) => publish(headers, { game_id, ...(i === round % 6 ? { game_name: name } : {}) })),
    )
    expect((await list(`search=${name}`)).total, name).toBe(authors.length)
  }
  await site.close()
})
