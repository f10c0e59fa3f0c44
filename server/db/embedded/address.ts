import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { makePrivateFolder, socketFolder } from './folders.ts'
import type { Owner } from './owner.ts'

export interface EmbeddedConnection {
  /** The folder of the socket, or the loopback address where there are no sockets in folders. */
  host: string
  user: string
  database: string
  port?: number
  password?: string
}

export interface Address {
  connection: EmbeddedConnection
  initFlags: string[]
  settings: Record<string, string | number>
  /** Clears away what was made for it. */
  close(): void
}

const NAMES = { user: 'scriptyard', database: 'postgres' }

/** A socket in a folder that nobody else may enter, which is what guards the way in. */
export function openSocketAddress(dataDir: string, owner: Owner): Address {
  const host = socketFolder(dataDir)
  makePrivateFolder(host, owner)
  return {
    connection: { host, ...NAMES },
    initFlags: ['--auth=trust'],
    settings: { listen_addresses: '', unix_socket_directories: host },
    close: () => rmSync(host, { recursive: true, force: true }),
  }
}

/** For Windows, where Node opens no socket in a folder: loopback, guarded by a password that is made once. */
export async function openLoopbackAddress(dataDir: string): Promise<Address> {
  const passwordFile = path.join(dataDir, 'postgres-password')
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  const host = '127.0.0.1'
  const port = await findFreePort(host)
  return {
    connection: { host, port, ...NAMES, password: readFileSync(passwordFile, 'utf8') },
    initFlags: ['--auth=scram-sha-256', `--pwfile=${passwordFile}`],
    settings: { listen_addresses: host, port },
    close: () => {},
  }
}

function findFreePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0))
    })
  })
}
