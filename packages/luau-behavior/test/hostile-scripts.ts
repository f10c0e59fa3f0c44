// Scripts that try to break what runs them: endless loops, bombs, nesting, and attacks on the mocks.
import fc from 'fast-check'

const name = fc.constantFrom(
  'a',
  'b',
  'game',
  'request',
  'string',
  'table',
  '_G',
  'shared',
  'task',
  'coroutine',
  'debug',
)
const count = fc.constantFrom('0', '-1', '255', '1e5', '1e9', '2^53', '0/0', 'math.huge', '#a')
const text = fc.constantFrom(
  '"a"',
  '""',
  '("x"):rep(1e6)',
  '("\\\\"):rep(1e5)',
  '"\\0\\255"',
  '("("):rep(5000)',
  '"%s%d%q"',
)

/** Statements that do not end, or take all there is. */
const bomb = fc.constantFrom(
  'while true do end',
  'repeat until false',
  'while true do pcall(error, {}) end',
  'local t = {} while true do t[#t + 1] = {t} end',
  'local s = "x" while true do s = s .. s end',
  'local t = {} for i = 1, 1e9 do t[i] = i end',
  'for i = 1, 1e7 do setclipboard(tostring(i)) end',
  'local function f() return f() end f()',
  'local function f() f() end pcall(f) f()',
  'local function f() return pcall(f) end f()',
  'local function f() coroutine.wrap(f)() end f()',
  'local function f() task.spawn(f) task.delay(0, f) end f()',
  '("a"):rep(50000):match(("a*"):rep(30) .. "b")',
  '("x"):rep(1e5):gsub(".-", "%0%0%0")',
  'local t = setmetatable({}, {__index = function(t, k) return t[k .. "x"] end}) pcall(function() return t.a end)',
  'local t = setmetatable({}, {__gc = function() while true do end end, __mode = "k"}) t = nil',
  'local t = {} t.t = t game:GetService("HttpService"):JSONEncode(t)',
  'buffer.create(2^30)',
  'table.create(1e9, 1)',
  'string.rep("x", 2^31)',
  'local t = table.create(1e5, 1) table.sort(t, function() return true end)',
  'local s = "return 1" for i = 1, 500 do loadstring(s) s = "do " .. s .. " end" end',
  'loadstring(("("):rep(1e5))',
  'loadstring("local a = " .. ("{"):rep(900) .. ("}"):rep(900))',
  'while true do loadstring("return 1")() end',
  'local s = "loadstring(...)" .. "(...)" loadstring(s)(s)',
  'coroutine.yield()',
  'coroutine.wrap(function() while true do coroutine.yield() end end)()',
  'game.ChildAdded:Connect(function() while true do task.wait() end end)',
  'for i = 1, 1e5 do task.delay(i, print) end',
  'pcall(pcall, pcall, error, setmetatable({}, {__tostring = function() error({}) end}))',
  'error(setmetatable({}, {__tostring = function() while true do end end}))',
  'xpcall(error, function() error(1) end)',
  'for i = 1, 5000 do Instance.new("Part", workspace) end for _ = 1, 50 do workspace:GetDescendants() end',
  'local p = Instance.new("Part") p.Parent = p p:GetFullName() p:IsDescendantOf(workspace) p:GetDescendants() p:Clone()',
  'local t = {} for i = 1, 200 do t = {t} end request({Url = "https://a.com", Body = t})',
  'setfenv(1, setmetatable({}, {__index = function(_, k) error(k) end}))',
  'setfenv(0, {})',
  'getgenv().pcall = error getgenv().tostring = nil getgenv().game = nil',
  'for k in pairs(getfenv()) do getfenv()[k] = nil end',
  'for k, v in pairs(getfenv()) do if type(v) == "function" and k ~= "wait" then pcall(v, getfenv(), v, k) end end',
)

/** Attempts to reach what lies behind the mocks. Each reports what it reached. */
const escape = fc.constantFrom(
  'if host then setclipboard("escaped") end',
  'for i = 0, 50 do local ok, e = pcall(getfenv, i) if ok and rawget(e, "host") then setclipboard("escaped") end end',
  'for i = 1, 50 do local f = debug.info(i, "f") if f and rawget(getfenv(f), "host") then setclipboard("escaped") end end',
  'for _, f in pairs(getfenv()) do if type(f) == "function" and rawget(getfenv(f), "host") then setclipboard("escaped") end end',
  'pcall(function() getmetatable("").__index = function() setclipboard("escaped") end; ("x"):y() end)',
  'if pcall(setfenv, request, {}) or pcall(setfenv, game.GetService, {}) then setclipboard("escaped") end',
  'if pcall(function() string.sub = nil end) then setclipboard("escaped") end',
  'if type(getmetatable(game)) == "table" or type(getmetatable("")) == "table" then setclipboard("escaped") end',
)

const call = fc
  .tuple(
    name,
    name,
    fc.array(fc.oneof(count, text, name, fc.constant('nil'), fc.constant('function(...) return ... end')), {
      maxLength: 3,
    }),
  )
  .map(([object, member, args]) => `pcall(function() return ${object}.${member}(${args.join(', ')}) end)`)
const OPENINGS: [opening: string, closing: string][] = [
  ['(', ')'],
  ['{', '}'],
  ['function() return ', ' end'],
  ['#', ''],
  ['not ', ''],
]
const nested = fc
  .tuple(fc.constantFrom(...OPENINGS), fc.integer({ min: 1, max: 3000 }))
  .map(([[opening, closing], times]) => `local a = ${opening.repeat(times)}1${closing.repeat(times)}`)
const garbage = fc.string({ unit: 'binary', maxLength: 60 })
const wrapper = fc.constantFrom(
  (code: string) => code,
  (code: string) => `pcall(function() ${code} end)`,
  (code: string) => `task.spawn(function() ${code} end)`,
  (code: string) => `coroutine.wrap(function() ${code} end)()`,
  (code: string) => `loadstring([==[${code}]==])()`,
  (code: string) => `game.ChildAdded:Connect(function() ${code} end)`,
  (code: string) => `setmetatable({}, {__index = function() ${code} end}).x = nil`,
)
const wrapped = (statement: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(wrapper, wrapper, statement).map(([outer, inner, code]) => outer(inner(code)))

const quick = fc.oneof(
  { arbitrary: wrapped(escape), weight: 4 },
  { arbitrary: wrapped(call), weight: 6 },
  { arbitrary: nested, weight: 1 },
  { arbitrary: garbage, weight: 1 },
)
const scriptOf = (statement: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(statement, { minLength: 1, maxLength: 5 }).map((statements) => statements.join('\n'))

/** Scripts of a few hostile statements that mostly end by themselves. */
export const quickScripts: fc.Arbitrary<string> = scriptOf(quick)
/** Scripts that also have a bomb. */
export const bombScripts: fc.Arbitrary<string> = fc
  .tuple(scriptOf(quick), wrapped(bomb), scriptOf(quick))
  .map((parts) => parts.join('\n'))

export const hasEscaped = (capabilities: readonly { evidence: readonly { detail: string }[] }[]): boolean =>
  capabilities.some(({ evidence }) => evidence.some(({ detail }) => detail === 'setclipboard escaped'))
