import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that Linux and macOS give to outgoing connections, which could take the port of a stopped server. */
const FIRST = 20_000
const COUNT = 10_000

let next = randomInt(COUNT)

/** A TCP port on the loopback interface that is free at this moment. Each call returns another one. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + next
    next = (next + 1) % COUNT
    if (await isFree(port)) return port
  }
  throw new Error('No port is free.')
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  return true
}
