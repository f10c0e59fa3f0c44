import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DraftContent } from '#contract/drafts.ts'
import { ApiError } from '#web/lib/api-error.ts'
import type { Api } from '#web/lib/client.ts'
import { chooseState, DraftSync, NO_COPY } from './draft-sync.ts'

const OLD = '2026-11-29T10:00:00.000Z'
const NEW = '2026-11-29T10:05:00.000Z'
const timeOf = (iso: string) => Date.parse(iso)

test.each([
  [
    'the server has what this browser stored',
    { savedAt: timeOf(NEW), server: { updatedAt: OLD, isSame: false } },
    OLD,
    'local',
    false,
  ],
  [
    'only another device went on',
    { savedAt: timeOf(OLD), server: { updatedAt: OLD, isSame: true } },
    NEW,
    'stored',
    false,
  ],
  [
    'both went on, the other device last',
    { savedAt: timeOf(OLD), server: { updatedAt: OLD, isSame: false } },
    NEW,
    'stored',
    true,
  ],
  [
    'both went on, this browser last',
    { savedAt: timeOf(NEW) + 1, server: { updatedAt: OLD, isSame: false } },
    NEW,
    'local',
    true,
  ],
] as const)('if %s', (_name, local, updated_at, shown, hasOther) => {
  expect(chooseState(local, { updated_at })).toEqual({ shown, hasOther })
})

/** A server with one draft. */
class Server {
  stored: { updated_at: string; content: DraftContent } | undefined
  isDown = false
  #clock = timeOf(NEW)

  write(content: DraftContent): string {
    this.stored = { updated_at: new Date((this.#clock += 1000)).toISOString(), content }
    return this.stored.updated_at
  }

  api = (async (name: string, { body }: { body?: { content: DraftContent; base_updated_at: string | null } } = {}) => {
    await Promise.resolve()
    if (this.isDown) throw new ApiError(0, 'No connection.')
    if (name === 'DELETE /api/draft') this.stored = undefined
    if (name === 'GET /api/draft') return { key: 'k', script_id: null, ...this.stored }
    if (!body) return { message: 'Draft deleted.' }
    if (this.stored && this.stored.updated_at !== body.base_updated_at)
      throw new ApiError(409, 'Changed.', { code: 'changed_meanwhile' })
    return { updated_at: this.write(body.content) }
  }) as Api
}

const titled = (title: string): DraftContent => ({ values: { title } })
let server: Server
let typed: DraftContent
let log: unknown[]
let sync: DraftSync

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', () => undefined)
  server = new Server()
  log = []
  sync = new DraftSync({
    api: server.api,
    key: 'k',
    copy: NO_COPY,
    read: () => typed,
    onSaved: ({ isSame }) => log.push(isSame ? 'saved' : 'saved a part'),
    onReplace: ({ content }) => log.push(content.values.title),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const type = (title: string) => {
  typed = titled(title)
  sync.schedule()
}

test('changes are stored together after a pause', async () => {
  type('L')
  await vi.advanceTimersByTimeAsync(2000)
  type('Lamp')
  await vi.advanceTimersByTimeAsync(2000)
  expect(server.stored).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1000)
  expect(server.stored?.content).toEqual(titled('Lamp'))
  expect(log).toEqual(['saved'])
})

test('without a connection the changes are stored later', async () => {
  server.isDown = true
  type('Lamp')
  await sync.flush()
  expect(log).toEqual([])
  server.isDown = false
  await sync.flush()
  expect(server.stored?.content).toEqual(titled('Lamp'))
  expect(log).toEqual(['saved'])
})

test('what another device stored in the meantime is handed over before it is replaced', async () => {
  type('Lamp')
  await sync.flush()
  server.write(titled('From the phone'))
  type('From the desktop')
  await sync.flush()
  expect(log).toEqual(['saved', 'From the phone', 'saved'])
  expect(server.stored?.content).toEqual(titled('From the desktop'))
})

test('a deleted draft does not come back, although it is being stored', async () => {
  type('Lamp')
  void sync.flush()
  await sync.remove()
  expect(server.stored).toBeUndefined()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(server.stored).toBeUndefined()
})

test('a closed form stores its last changes, but replaces nothing and reports nothing', async () => {
  type('Lamp')
  sync.close()
  await vi.runAllTimersAsync()
  expect(server.stored?.content).toEqual(titled('Lamp'))
  server.write(titled('From the phone'))
  type('Late')
  await sync.flush()
  expect(server.stored?.content).toEqual(titled('From the phone'))
  expect(log).toEqual([])
})
