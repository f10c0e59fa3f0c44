import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { lockDataDir } from '../src/lock.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'embedded-postgres-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ROUNDS = 20
const ROUND_MS = 250

// All rivals start each round at the same moment, to a fraction of a millisecond, and keep their locks until the end.
const RIVAL = `
const { lockDataDir } = await import(process.argv[2])
const [folder, rounds, step, start] = [process.argv[3], ...process.argv.slice(4).map(Number)]
const won = []
for (let round = 0; round < rounds; round++) {
  await new Promise((go) => setTimeout(go, start + round * step - Date.now() - 20))
  while (performance.timeOrigin + performance.now() < start + round * step);
  await lockDataDir(folder + '/' + round).then(() => won.push(round), () => {})
}
process.send(won)
await new Promise((go) => process.once('message', go))
process.disconnect()
`

async function compete(rivals: number): Promise<number[]> {
  const program = path.join(folder, 'rival.mjs')
  writeFileSync(program, RIVAL)
  const args = [path.join(import.meta.dirname, '../src/lock.ts'), folder, ROUNDS, ROUND_MS, Date.now() + 1500].map(
    String,
  )
  const children = Array.from({ length: rivals }, () => fork(program, args))
  const won = await Promise.all(children.map(async (child): Promise<number[]> => (await once(child, 'message'))[0]))
  for (const child of children) child.send('done')
  return won.flat().toSorted((a, b) => a - b)
}

test('one of several processes that find the same stale lock gets it, in every round', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    mkdirSync(path.join(folder, String(round)))
    writeFileSync(path.join(folder, String(round), 'server.lock'), '999999999\nlong ago\n')
  }
  expect(await compete(3)).toEqual(Array.from({ length: ROUNDS }, (_, round) => round))
})

describe.runIf(process.platform === 'linux')('a lock of another container', () => {
  const FOREIGN = `${process.pid}\nsome time\nboot pid:[1]\n`

  function createLock(name: string): { dataDir: string; file: string } {
    const dataDir = path.join(folder, name)
    mkdirSync(dataDir)
    const file = path.join(dataDir, 'server.lock')
    writeFileSync(file, FOREIGN)
    return { dataDir, file }
  }

  test.concurrent('is respected while it is renewed', async () => {
    const { dataDir, file } = createLock('renewed')
    const timer = setInterval(() => utimesSync(file, new Date(), new Date()), 500)
    await expect(lockDataDir(dataDir)).rejects.toThrow(expect.objectContaining({ code: 'in_use', details: {} }))
    clearInterval(timer)
    expect(readFileSync(file, 'utf8')).toBe(FOREIGN)
  })

  test.concurrent('is replaced if nobody renews it', async () => {
    const { dataDir, file } = createLock('stale')
    const unlock = await lockDataDir(dataDir)
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${process.pid}\n`))
    unlock()
  })

  test.concurrent('is what others see, because it is renewed', async () => {
    const { dataDir, file } = createLock('own')
    rmSync(file)
    const unlock = await lockDataDir(dataDir)
    const past = new Date(0)
    utimesSync(file, past, past)
    await expect.poll(() => statSync(file).mtimeMs, { timeout: 20_000 }).toBeGreaterThan(0)
    unlock()
  })
})
