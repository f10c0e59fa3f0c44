import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { Sandbox } from '../src/sandbox/sandbox.ts'

const sandbox = new Sandbox()
afterAll(() => sandbox.close())

/** Texts that a script reports with `setclipboard`, and what stopped it. */
async function report(code: string): Promise<string[]> {
  const { capabilities, opaque } = await sandbox.run(code)
  const evidence = capabilities.find(({ id }) => id === 'user.clipboard')?.evidence ?? []
  return [...evidence.map(({ detail }) => detail.replace(/^setclipboard /, '')), ...opaque.map(({ reason }) => reason)]
}

// Visits everything that can be reached from the script's globals, and calls `visit` with each value and its path.
const WALK = `
local seen = {}
local function walk(value, path, depth, visit)
  if value == nil or seen[value] or depth > 6 then return end
  if type(value) == "table" or type(value) == "function" or type(value) == "userdata" then seen[value] = true end
  visit(value, path)
  if type(value) == "table" then
    for key, entry in next, value do walk(entry, path .. "." .. tostring(key), depth + 1, visit) end
  elseif type(value) == "userdata" then
    for _, key in {"Name", "Parent", "Connect", "GetService", "HttpGet", "Kick", "Clone", "new", "FireServer", "Heartbeat", "X", "Position"} do
      local ok, entry = pcall(function() return value[key] end)
      if ok then walk(entry, path .. "." .. key, depth + 3, visit) end
    end
  end
end
`

test('no function that a script can reach gives away the environment of the mocks', async () => {
  const code = `${WALK}
local own, count = getfenv(), 0
walk(own, "env", 0, function(value, path)
  if type(value) ~= "function" then return end
  count += 1
  local env = getfenv(value)
  if env ~= own or rawget(env, "host") ~= nil then setclipboard("environment of " .. path) end
  if pcall(setfenv, value, {}) and path ~= "env.none" then setclipboard("setfenv of " .. path) end
  local source, line = debug.info(value, "sl")
  if source ~= "[C]" or line ~= -1 then setclipboard("source of " .. path) end
end)
for level = 0, 30 do
  local ok, env = pcall(getfenv, level)
  if ok and env ~= own then setclipboard("environment of level " .. level) end
end
setclipboard(if count > 400 then "done" else "only " .. count)`
  expect(await report(code)).toEqual(['done'])
})

test('no metatable of the mocks or of texts can be read or changed', async () => {
  const code = `${WALK}
walk({ env = getfenv(), text = "x", signal = game.ChildAdded, unknown = loadstring(game:HttpGet("https://a.com"))() }, "", 0, function(value, path)
  local meta = getmetatable(value)
  if type(meta) == "table" and value ~= getfenv() and not (type(value) == "vector" and table.isfrozen(meta)) then setclipboard("metatable of " .. path) end
  if type(value) ~= "table" and pcall(setmetatable, value, {}) then setclipboard("setmetatable of " .. path) end
end)
if pcall(function() getmetatable("").__index = {} end) then setclipboard("texts") end
for _, name in {"string", "math", "table.insert", "bit32", "coroutine", "os", "task", "buffer"} do
  if pcall(function() getfenv()[name].evil = 1 end) then setclipboard("library " .. name) end
end
setclipboard("done")`
  const found = await report(code)
  expect(found.filter((line) => line !== 'What the code does that it downloads')).toEqual(['done'])
})

test('functions that the mocks call see no function of theirs on the stack', async () => {
  const code = `
local own = getfenv()
local function look(name)
  for level = 1, 40 do
    local f = debug.info(level, "f")
    if f and getfenv(f) ~= own then setclipboard(name .. " sees level " .. level) end
    local source = debug.info(level, "s")
    if source and source ~= "[C]" and not string.find(source, "script", 1, true) then setclipboard(name .. " sees " .. source) end
  end
  if string.find(debug.traceback(), "prelude", 1, true) then setclipboard(name .. " has a traceback") end
  return "text"
end
local hostile = setmetatable({}, { __tostring = function() return look("tostring") end, __index = function() return look("index") end,
  __concat = function() return look("concat") end, __call = function() return look("call") end, __len = function() return #look("len") end })
pcall(setclipboard, hostile)
pcall(request, hostile)
pcall(game.HttpGet, game, hostile)
pcall(writefile, hostile, hostile)
pcall(function() return game:GetService("HttpService"):JSONEncode(hostile) end)
pcall(string.gsub, "aaa", "a", function() return look("gsub") end)
pcall(table.sort, {3, 1, 2}, function(a, b) look("sort") return a < b end)
hookmetamethod(game, "__namecall", function() return look("hook") end)
game:GetService("RunService").Heartbeat:Connect(function() look("handler") end)
task.spawn(function() look("spawn") end)
xpcall(error, function() look("xpcall") end)
setclipboard("done")`
  expect((await report(code)).filter((line) => !['text', 'setclipboard'].includes(line))).toEqual(['done'])
})

test('no function breaks the machine with hostile arguments', async () => {
  const code = `${WALK}
local deep = {} for i = 1, 200 do deep = { deep } end
local loop = {} loop.loop = loop
local evil = setmetatable({}, { __index = function() error({}) end, __tostring = function() return {} end, __call = function() error(nil) end,
  __len = function() return -1 end, __iter = function() return function() return nil end end, __concat = function() return 1 end })
local values = { 0/0, -1, 2^53, "", string.rep("x", 3000), "\\0\\255%%%s", deep, loop, evil, function() error(evil) end, coroutine.create(function() end), game, newproxy(true) }
local functions = {}
walk(getfenv(), "env", 0, function(value, path)
  if type(value) == "function" and not string.find(path, "yield") and not string.find(string.lower(path), "wait") then table.insert(functions, value) end
end)
local calls = 0
for _, f in functions do
  for _, value in values do
    pcall(f, value, value, value)
    pcall(f, game, value)
    calls += 2
  end
end
if calls > 10000 then game:HttpGet("https://survived.test") end`
  const { hosts, opaque } = await sandbox.run(code)
  expect(hosts.map(({ host }) => host)).toEqual(['survived.test'])
  expect(opaque).toEqual([])
})

test('the host answers texts only, and JavaScript values cannot be reached', async () => {
  const code = `
for _, name in {"host", "js", "process", "require_js", "__asyncjs__callJSFunction", "global", "globalThis"} do
  if getfenv()[name] ~= nil or _G[name] ~= nil or shared[name] ~= nil or getgenv()[name] ~= nil or getrenv()[name] ~= nil then setclipboard(name) end
end
setclipboard("done")`
  expect(await report(code)).toEqual(['done'])
})

test('messages name no file of this package', async () => {
  const code = `
local messages = {}
for _, f in {function() return game.Nothing end, function() Instance.new(nil, 1) end, function() game:GetService(1) end, function() return Vector3.new().Q end,
  function() game.HttpGet() end, function() return Enum() end, function() request() end, function() loadstring()() end, function() string.rep() end} do
  local ok, message = pcall(f)
  table.insert(messages, tostring(message))
end
setclipboard(table.concat(messages, "; "))`
  const [messages = ''] = await report(code)
  expect(messages).toContain('Nothing is not a valid member of DataModel')
  expect(messages).not.toMatch(/prelude|\.luau|file:|node_modules/)
})

test('nothing of a run is left for the next script', async () => {
  const leave = `
_G.left = "https://left.example" shared.left = _G.left getgenv().left = _G.left workspace.Name = _G.left
local metatable = getrawmetatable("") pcall(setreadonly, metatable, false) pcall(function() metatable.__index = { left = _G.left } end)
task.spawn(function() while true do task.wait(1) game:HttpGet(_G.left) end end)
game:HttpGet(_G.left .. "/" .. tostring(("x").left))`
  const find = `
for _, found in { tostring(_G.left), tostring(shared.left), tostring(getgenv().left), tostring(("x").left), workspace.Name } do
  setclipboard(found)
end`
  const other = new Sandbox()
  const alone = await other.run(find)
  await other.close()
  expect(await report(`${leave}${find}`)).toContain('https://left.example')
  await sandbox.run(leave)
  expect(await sandbox.run(find)).toEqual(alone)
})

test('a run is the same each time', async () => {
  const code = readFileSync(new URL('escapes.test.ts', import.meta.url), 'utf8')
    .slice(0, 200)
    .replaceAll(/[`\n]/g, ' ')
  const script = `
local seen = { tostring({}), tostring(function() end), tostring(game), math.random(1, 1e9), os.clock(), os.time(), tick(), Random.new():NextNumber() }
for key in pairs({ a = 1, b = 2, [game] = 3, [print] = 4, [{}] = 5 }) do table.insert(seen, tostring(key)) end
for key in pairs(getfenv()) do table.insert(seen, key) end
for start = 1, 2000, 150 do setclipboard(string.sub(table.concat(seen, " "), start, start + 149)) end -- ${code}`
  const [first, second] = [await sandbox.run(script), await sandbox.run(script)]
  expect(first.capabilities[0]?.evidence.length).toBeGreaterThan(5)
  expect(second).toEqual(first)
})
