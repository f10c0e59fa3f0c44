import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatLuau } from './format-luau.ts'
import { scanLuau } from './scan-luau.ts'

const noPause = () => Promise.resolve()
const format = (code: string) => formatLuau(code, noPause)
const textsOf = async (code: string) => (await scanLuau(code, noPause))?.map(({ text }) => text)

const minified = [
  `local a,b=1,{x=1,y={2,3},f=function(q) return q end} for i=1,#b do print(i..'a',-i,not a,a~=nil)`,
  `if a then b.x=2 elseif b then f(1)g(2) else return end end local t=if a then 1 else 2`,
  'function m.n:o(p:number,...):string local s=`x{a}` return s end repeat a=a-1 until a<-1',
  `export type U={a:number} task.spawn(function() wait(1) end) return{a=1}`,
].join(' ')

const readable = `local a, b = 1, {
	x = 1,
	y = { 2, 3 },
	f = function(q)
		return q
	end
}
for i = 1, #b do
	print(i .. 'a', -i, not a, a ~= nil)
	if a then
		b.x = 2
	elseif b then
		f(1)
		g(2)
	else
		return
	end
end
local t = if a then 1 else 2
function m.n:o(p: number, ...): string
	local s = \`x{a}\`
	return s
end
repeat
	a = a - 1
until a < -1
export type U = { a: number }
task.spawn(function()
	wait(1)
end)
return { a = 1 }
`

test('puts one statement on each line of minified code, and indents blocks', async () => {
  expect(await format(minified)).toBe(readable)
})

test('leaves formatted code as it is', async () => {
  expect(await format(readable)).toBe(readable)
})

test('keeps comments at their place, and one blank line between statements', async () => {
  const code = '-- Head\n\n\n--[[ block ]] local a = 1 -- end of line\nif a then -- why\n\tf()\nend\n'
  expect(await format(code)).toBe('-- Head\n\n--[[ block ]] local a = 1 -- end of line\nif a then -- why\n\tf()\nend\n')
})

test.each([
  ['a- -b', 'a - -b\n'],
  ['a=b - - -c', 'a = b - - -c\n'],
  ['x=1 ..2', 'x = 1 .. 2\n'],
  ['f"a" g{1}', 'f "a"\ng { 1 }\n'],
  ['a=[==[ ]] ]==]b=2', 'a = [==[ ]] ]==]\nb = 2\n'],
  ['f(x)(y)', 'f(x)(y)\n'],
  ['a=1;(f or g)()', 'a = 1;\n(f or g)()\n'],
  ['', '\n'],
  ['print("\\z   \n  x")', 'print("\\z   \n  x")\n'],
])('formats %j as %j', async (code, formatted) => {
  expect(await format(code)).toBe(formatted)
})

test.each(['"a', "'a\nb'", '[[ a', '--[==[ a', '`a{`', 'a = $', '`{'.repeat(1000)])(
  'does not format %j, which has no complete tokens',
  async (code) => {
    expect(await format(code)).toBeUndefined()
  },
)

describe('the tokens', () => {
  const pieces = [
    'local',
    'x',
    '=',
    '1',
    '-',
    '--[[c]]',
    '--c\n',
    '"s"',
    '[[l]]',
    '[',
    ']',
    '{',
    '}',
    '(',
    ')',
    'function',
    'end',
  ]
  const more = [
    'if',
    'then',
    'else',
    'do',
    'until',
    'repeat',
    '..',
    '...',
    '.',
    ':',
    ';',
    ',',
    '\n',
    '\n\n',
    '`a{b}`',
    '`}\\{"c":{d}}`',
    '0x1f',
    '>',
    '<',
  ]

  test('never change, whatever the code', async () => {
    const code = fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 60 }).map((parts) => parts.join(' '))
    await fc.assert(
      fc.asyncProperty(code, async (text) => {
        const formatted = await format(text)
        expect(formatted === undefined ? undefined : await textsOf(formatted)).toEqual(await textsOf(text))
      }),
    )
  })

  test('are the same after formatting any script of the demo', async () => {
    const folder = path.resolve('demo/scripts')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.luau'))
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) {
      const code = readFileSync(path.join(folder, file), 'utf8')
      const formatted = (await format(code)) ?? `${file} was not formatted.`
      expect(await textsOf(formatted)).toEqual(await textsOf(code))
      expect(await format(formatted)).toBe(formatted)
    }
  })
})

test.each(['do ', '{', '(', 'if a then ', 'f{', '['])('code of nothing but %j stays small', async (part) => {
  const code = part.repeat(20_000)
  expect(((await format(code)) ?? '').length).toBeLessThan(30 * code.length)
})

test('stops when the pause fails', async () => {
  const abort = () => Promise.reject(new Error('closed'))
  await expect(formatLuau('a '.repeat(20_000), abort)).rejects.toThrow('closed')
})
