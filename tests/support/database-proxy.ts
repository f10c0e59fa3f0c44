import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { EmbeddedPostgres } from '@scriptyard/embedded-postgres'

type Connection = EmbeddedPostgres['connection']

export interface DatabaseProxy {
  /** The database, reached through this proxy. */
  connection: Connection
  /** Breaks every connection and rejects new ones. */
  cut(): Promise<void>
  restore(): Promise<void>
  close(): Promise<void>
}

const DEFAULT_PORT = 5432

/** Proxy of a database whose connections a test can cut, as if PostgreSQL had crashed, and restore. */
export async function startDatabaseProxy(to: Connection): Promise<DatabaseProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-line-'))
  const socketName = (host: string) => path.join(host, `.s.PGSQL.${to.port ?? DEFAULT_PORT}`)
  const target = path.isAbsolute(to.host)
    ? { path: socketName(to.host) }
    : { host: to.host, port: to.port ?? DEFAULT_PORT }
  const sockets = new Set<Socket>()
  const join = (near: Socket) => {
    const far = connect(target)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  }
  let server: Server | undefined
  const restore = () =>
    new Promise<void>((resolve, reject) => {
      server = createServer(join).once('error', reject)
      server.listen(socketName(folder), resolve)
    })
  const cut = () =>
    new Promise<void>((resolve) => {
      if (!server) return resolve()
      server.close(() => resolve())
      server = undefined
      for (const socket of sockets) socket.destroy()
    })
  await restore()
  return {
    connection: { ...to, host: folder },
    cut,
    restore,
    close: async () => {
      await cut()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
