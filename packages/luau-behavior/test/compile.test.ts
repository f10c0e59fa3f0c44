import { Worker } from 'node:worker_threads'
import { beforeAll, describe, expect, test } from 'vitest'
import { readLuauCompiler } from '../src/sandbox/wasm.ts'
import { compile } from '../src/compile.ts'

let compiler: WebAssembly.Module

beforeAll(async () => {
  compiler = await WebAssembly.compile(readLuauCompiler())
})

describe('compile', () => {
  test.each([
    'print(1)',
    'local x: number = 1 :: any\ncontinue = 2',
    'local function f<T>(a: T): T return a end',
    'local t = { [1] = `a{1 + 1}b`, b = if x then 1 else 2 }',
    '-- é only in a comment',
    'a += 1',
  ])('accepts %j', (code) => {
    expect(compile(compiler, code)).toEqual({ compiles: true, error: null })
  })

  test.each([
    ['local a = 1\nlocal b =\nend\n', 3, "Expected identifier when parsing expression, got 'end'"],
    ['print("a)\n', 1, 'Malformed string; did you forget to finish it?'],
    ['\n\n\nbreak', 4, 'break statement must be inside a loop'],
    ['for i = 1, 2 do\n', 2, "Expected 'end' (to close 'do' at line 1), got <eof>"],
    ['local a = "é" b c', 1, 'Incomplete statement: expected assignment or a function call'],
  ])('reports the line of the first error of %j', (code, line, message) => {
    expect(compile(compiler, code)).toEqual({ compiles: false, error: { line, message } })
  })

  test('says nothing about code that the compiler cannot handle', () => {
    const codes = [`return ${'{'.repeat(5000)}`, 'print(1)\n'.repeat(100_000), 'a = 1\0 b']
    expect(codes.map((code) => compile(compiler, code))).toEqual(codes.map(() => ({ compiles: null, error: null })))
  })

  test('checks correctly after code that the compiler cannot handle', () => {
    compile(compiler, `return ${'{'.repeat(5000)}`)
    expect(compile(compiler, 'local = 1').error?.line).toBe(1)
    expect(compile(compiler, 'local a = 1').compiles).toBe(true)
  })

  test('agrees with luau-web on damaged code', async () => {
    const codes = damage(SAMPLE)
    const expected = await compileInPackage(codes)
    const results = codes.map((code) => compile(compiler, code))
    expect(results.map(({ compiles, error }) => (compiles ? '' : `${error?.line}: ${error?.message}`))).toEqual(
      expected,
    )
    expect(results.filter(({ compiles }) => compiles).length).toBeGreaterThan(1)
    expect(results.filter(({ compiles }) => compiles === false).length).toBeGreaterThan(10)
  })
})

const SAMPLE = `local Players = game:GetService("Players")
local function greet(name: string, times: number?): string
	local parts = {}
	for i = 1, times or 3 do
		if i % 2 == 0 then continue end
		table.insert(parts, \`{i}: hello {name}\`)
	end
	return table.concat(parts, "\\n")
end
while #Players:GetPlayers() > 0 do
	print(greet(Players.LocalPlayer.Name), [[a long
string]])
	repeat task.wait(0.5) until not workspace.Gate
end
return { greet = greet, version = 1.5e3 }
`

/** The code without one of its tokens each, as while somebody types. Every sixth token is enough. */
function damage(code: string): string[] {
  const tokens = [...code.matchAll(/[A-Za-z_]\w*|[^\w\s]/g)].filter((_token, i) => i % 6 === 0)
  return tokens.map(({ index, 0: token }) => code.slice(0, index) + code.slice(index + token.length))
}

/** The errors of luau-web itself, empty for code that compiles. Each from a module instance of its own. */
async function compileInPackage(codes: string[]): Promise<string[]> {
  const errors: string[] = []
  for (const code of codes) errors.push(await inWorker(code))
  return errors
}

const WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
import('luau-web').then(async ({ LuauState }) => {
  const state = await LuauState.createAsync({})
  try {
    state.loadstring(workerData, 'script', true)
    parentPort.postMessage('')
  } catch (error) {
    parentPort.postMessage(error.message.replace(/^\\[string "script"\\]:/, ''))
  }
})`

function inWorker(code: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { eval: true, workerData: code })
    worker.once('message', (error: string) => resolve(error))
    worker.once('error', reject)
    worker.once('message', () => void worker.terminate())
  })
}
