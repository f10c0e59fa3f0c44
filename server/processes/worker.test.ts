import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HEARTBEAT_INTERVAL_MS } from './watchdog.ts'

let worker: ChildProcess
let said: unknown[]
beforeEach(() => {
  worker = fork(path.join(import.meta.dirname, 'worker.ts'), { stdio: 'inherit' })
  said = []
  worker.on('message', (message) => said.push(message))
})
afterEach(() => worker.kill('SIGKILL'))

test('says that it is alive, again and again, and ends when told', async () => {
  await expect.poll(() => said, { timeout: 20_000 }).toContainEqual({ is: 'here' })
  const pulses = () => said.filter((message) => (message as { is: string }).is === 'alive').length
  await expect.poll(pulses, { timeout: 4 * HEARTBEAT_INTERVAL_MS }).toBe(2)
  worker.send({ is: 'stop' })
  const [code] = (await once(worker, 'exit')) as [number]
  expect(code).toBe(0)
})
