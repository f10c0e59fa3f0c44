// Cases in which something only looks like a capability: guards, names of the author, comments, texts that are shown.
import type { CapabilityId } from '#contract/behavior-names.ts'
import type { Case } from './samples.ts'

type Row = [name: string, labels: CapabilityId[], code: string]

const GUARDS: Row[] = [
  ['if f then', ['fs.write'], 'if writefile then writefile("a.txt", "b") end'],
  ['f and f()', ['fs.read'], 'local known = isfile and isfile("a.txt")\nprint(known)'],
  ['f or g', ['user.clipboard'], 'local copy = setclipboard or function() end\ncopy("text")'],
  [
    'request family',
    ['net.get'],
    'local send = (syn and syn.request) or http_request or request\nif send then print(send({Url = "https://example.com/a"}).Body) end',
  ],
  ['assert', ['fs.write'], 'assert(writefile, "This needs files.")\nwritefile("a.txt", "b")'],
  ['pcall', ['fs.delete'], 'pcall(delfile, "a.txt")'],
  ['type', ['client.inspect'], 'if type(getgc) == "function" then print(#getgc()) end'],
  ['typeof', ['client.inspect'], 'if typeof(getgc) == "function" then print(#getgc()) end'],
  ['early return', ['fs.write'], 'if not makefolder then return end\nmakefolder("a")'],
  ['nil comparison', ['code.persist'], 'if queue_on_teleport ~= nil then queue_on_teleport("print(1)") end'],
  ['through a local', ['user.identity'], 'local id = gethwid\nif id then print(id()) end'],
  ['if expression', ['fs.read'], 'local text = if readfile then readfile("a.txt") else "none"\nprint(text)'],
]

const SHADOWS: Row[] = [
  ['local function', [], 'local function request(options) return options.Url end\nprint(request({Url = "a"}))'],
  ['parameter', [], 'local function use(writefile) return writefile("a", "b") end\nprint(use(math.max))'],
  ['global', [], 'function setclipboard(text) return #text end\nprint(setclipboard("a"))'],
  [
    'field',
    [],
    'local Module = {}\nfunction Module.loadstring(text) return text end\nprint(Module.loadstring(_VERSION))',
  ],
  ['method', [], 'local Player = {}\nfunction Player:Kick() self.out = true end\nPlayer:Kick()'],
  ['own FireServer', [], 'local Net = {}\nfunction Net.FireServer(self, x) return x end\nprint(Net:FireServer(1))'],
  ['loop variable', [], 'for _, readfile in ipairs({tostring, tonumber}) do print(readfile("1")) end'],
  [
    'own HttpGet',
    [],
    'local Cache = {data = {}}\nfunction Cache:HttpGet(key) return self.data[key] end\nprint(Cache:HttpGet("a"))',
  ],
  ['own require', [], 'local function require(id) return id end\nprint(require(123456789))'],
  ['own keypress', [], 'local keypress = Instance.new("BindableEvent")\nkeypress:Fire("w")'],
]

const HARMLESS: Row[] = [
  ['comment', [], '-- loadstring(game:HttpGet("https://example.com/a.lua"))()\nprint("nothing")'],
  ['long comment', [], '--[[\nwritefile("a", "b")\nsetclipboard("c")\n]]\nprint("nothing")'],
  ['text that is shown', [], 'print("Call game:HttpGet(url) and loadstring to load it")'],
  ['place id', ['net.get'], 'print(game:HttpGet("https://example.com/place/" .. game.PlaceId))'],
  ['own module', [], 'local Shared = require(script.Parent.Shared)\nprint(Shared.version)'],
  ['module by path', [], 'local Signal = require(game:GetService("ReplicatedStorage").Packages.Signal)\nprint(Signal)'],
  ['bindable events', [], 'local event = Instance.new("BindableEvent")\nevent.Event:Connect(print)\nevent:Fire("x")'],
  [
    'decoder in readable code',
    [],
    'local function decode(text)\n  return (text:gsub(".", function(c) return string.char(c:byte() - 1) end))\nend\nprint(decode("ifmmp"))',
  ],
  [
    'constant text that is loaded',
    [],
    'local add = loadstring("return function(a, b) return a + b end")()\nprint(add(1, 2))',
  ],
  ['client to client', [], 'game.ReplicatedStorage.Round:FireAllClients("start")'],
  ['to one client', [], 'game.ReplicatedStorage.Round.OnServerEvent:Connect(function(player)\n  print(player)\nend)'],
  ['product information', [], 'print(game:GetService("MarketplaceService"):GetProductInfo(123).Name)'],
  ['a link in a text', [], 'local label = Instance.new("TextLabel")\nlabel.Text = "https://linkvertise.com/1"'],
  ['a moved character', [], 'game.Players.LocalPlayer.Character:MoveTo(Vector3.new(0, 5, 0))'],
  [
    'teleport pad',
    [],
    'local Pads = {Teleport = function(_, part) return part.CFrame end}\nprint(Pads:Teleport(workspace.A))',
  ],
  ['a message of the game', [], 'game:GetService("StarterGui"):SetCore("ChatMakeSystemMessage", {Text = "hi"})'],
  ['a placeholder', [], 'local webhook = "https://discord.com/api/webhooks/YOUR_ID/YOUR_TOKEN"\nprint(#webhook)'],
  [
    'input that is read',
    [],
    'game:GetService("UserInputService").InputBegan:Connect(function(input) print(input.KeyCode) end)',
  ],
  ['a hash', [], `local sum = "${'9f86d081884c7d65'.repeat(4)}"\nprint(#sum)`],
  [
    'a long table of numbers',
    [],
    `local wave = {${Array.from({ length: 400 }, (_, index) => (index * 37) % 251).join(', ')}}\nprint(#wave)`,
  ],
  [
    'data',
    [],
    `return {\n${Array.from({ length: 120 }, (_, index) => `  item${index} = {price = ${index * 5}, tier = "${'ABC'[index % 3] ?? 'A'}"},`).join('\n')}\n}`,
  ],
]

/** Cases whose labels are complete: anything else that is found is wrong. */
export function negativeCases(): Case[] {
  const groups: [evasion: string, rows: Row[]][] = [
    ['guard', GUARDS],
    ['shadow', SHADOWS],
    ['harmless', HARMLESS],
  ]
  return groups.flatMap(([evasion, rows]) =>
    rows.map(([name, labels, code]) => ({
      name: `${evasion}: ${name}`,
      capability: 'none' as const,
      evasion,
      code: `${code}\n`,
      labels,
    })),
  )
}
