import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { childArguments, Sandbox } from '../src/sandbox/sandbox.ts'

const ENTRY = new URL('../src/sandbox/sandbox.ts', import.meta.url).href
const BUILT = fileURLToPath(new URL('../dist/sandbox/child.js', import.meta.url))

/** Waits until a condition holds. The test's timeout ends a wait in vain. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50))
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

/** Whether a process runs. One that has ended may wait for its parent. */
const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

test('a child process may not read files, write them, connect, or start programs', () => {
  const code = `
const attempts = {
  read: () => require('node:fs').readFileSync('/etc/hostname'),
  write: () => require('node:fs').writeFileSync('/tmp/luau-behavior-escape', 'x'),
  list: () => require('node:fs').readdirSync('/'),
  program: () => require('node:child_process').execFileSync('true'),
  addon: () => process.dlopen({ exports: {} }, 'x.node'),
  wasi: () => new (require('node:wasi').WASI)({ version: 'preview1' }),
  inspector: () => require('node:inspector').open(0),
}
const results = Object.entries(attempts).map(([name, attempt]) => {
  try { attempt(); return [name, 'allowed'] } catch (error) { return [name, error.code] }
})
const socket = require('node:net').connect(1, '127.0.0.1')
socket.on('error', (error) => {
  console.log(JSON.stringify({ ...Object.fromEntries(results), connect: error.code, environment: Object.keys(process.env).length }))
  process.exit()
})`
  let output: string
  try {
    output = execFileSync(process.execPath, [...childArguments(), '-e', code], {
      env: {},
      encoding: 'utf8',
      stdio: 'pipe',
    })
  } catch (error) {
    output = String((error as { stderr: unknown }).stderr)
  }
  const denied = 'ERR_ACCESS_DENIED'
  expect(JSON.parse(output)).toEqual({
    read: denied,
    write: denied,
    list: denied,
    program: denied,
    addon: 'ERR_DLOPEN_DISABLED',
    wasi: denied,
    inspector: denied,
    connect: denied,
    environment: 0,
  })
})

describe.runIf(process.platform === 'linux')('processes', () => {
  test('start with work, end when they are idle, and start again', async () => {
    const before = childrenOf(process.pid)
    const started = () => childrenOf(process.pid).filter((pid) => !before.includes(pid) && isAlive(pid))
    const sandbox = new Sandbox({ idleMs: 50 })
    expect(started()).toEqual([])
    expect((await sandbox.compile('return 1')).compiles).toBe(true)
    await until(() => started().length === 0)
    expect((await sandbox.compile('return 1')).compiles).toBe(true)
    await sandbox.close()
    expect(started()).toEqual([])
  })

  test.runIf(existsSync(BUILT))('run the built package if the caller prefers it', async () => {
    const before = childrenOf(process.pid)
    const sandbox = new Sandbox({ prefersBuild: true })
    expect((await sandbox.compile('return 1')).compiles).toBe(true)
    const child = childrenOf(process.pid).find((pid) => !before.includes(pid))
    expect(readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0')).toContain(BUILT)
    await sandbox.close()
  })

  test('are replaced when they break, and the script gets a verdict', async () => {
    const before = childrenOf(process.pid)
    const started = () => childrenOf(process.pid).filter((pid) => !before.includes(pid) && isAlive(pid))
    const sandbox = new Sandbox()
    expect((await sandbox.compile('return 1')).compiles).toBe(true)
    const run = sandbox.run('while true do end')
    const next = sandbox.compile('return 2')
    for (const pid of started()) process.kill(pid, 'SIGKILL')
    expect((await run).opaque).toEqual([{ reason: 'The run ended unexpectedly', count: 1 }])
    expect((await next).compiles).toBe(true)
    await sandbox.close()
    expect(started()).toEqual([])
  })

  test('end when the process that started them is killed', async () => {
    const code = `
import { Sandbox } from ${JSON.stringify(ENTRY)}
const sandbox = new Sandbox({ concurrency: 2 })
await Promise.all([sandbox.compile('return 1'), sandbox.compile('return 1')])
void sandbox.run('while true do end')
console.log('ready')`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(parent.stdout, 'data')
    const children = childrenOf(parent.pid ?? 0)
    expect(children).toHaveLength(2)
    parent.kill('SIGKILL')
    await until(() => !children.some(isAlive))
    expect(children.filter(isAlive)).toEqual([])
  })
})
