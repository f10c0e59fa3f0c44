import { once } from 'node:events'
import { createServer } from 'node:net'

/** A TCP port on the loopback interface that is free at this moment. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address && typeof address === 'object') return address.port
  throw new Error('No port is free.')
}
