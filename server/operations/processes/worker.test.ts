import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HEARTBEAT_INTERVAL_MS, PROTOCOL } from './workers.ts'

let worker: ChildProcess
let messages: unknown[]
beforeEach(() => {
  worker = fork(path.join(import.meta.dirname, 'worker.ts'), { stdio: 'inherit' })
  messages = []
  worker.on('message', (message) => messages.push(message))
})
afterEach(() => worker.kill('SIGKILL'))

test('a worker sends heartbeats and exits on a stop message', async () => {
  await expect.poll(() => messages, { timeout: 60_000 }).toContainEqual({ type: 'ready', protocol: PROTOCOL })
  const countHeartbeats = () => messages.filter((message) => (message as { type: string }).type === 'heartbeat').length
  await expect.poll(countHeartbeats, { timeout: 4 * HEARTBEAT_INTERVAL_MS }).toBe(2)
  worker.send({ type: 'stop' })
  const [code] = (await once(worker, 'exit')) as [number]
  expect(code).toBe(0)
})
