import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
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
  /**
   * Delivers no further bytes of the open connections, in either direction, without closing them. New connections work,
   * unless `andNew` is set: they are accepted and stay silent too.
   */
  silence(options?: { andNew: boolean }): void
  /** Delivers the next request with this text and then silences its connection, so that the answer is lost. */
  loseAnswerTo(text: string): void
  /** Lets new connections work again after `silence`. */
  unsilence(): void
  close(): Promise<void>
}

const DEFAULT_PORT = 5432

/** Proxy of a database whose connections a test can cut, as if PostgreSQL had crashed, and restore. */
export async function startDatabaseProxy(to: Connection): Promise<DatabaseProxy> {
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-proxy-'))
  // A site that root starts runs as another user.
  chmodSync(folder, 0o755)
  const socketName = (host: string) => path.join(host, `.s.PGSQL.${to.port ?? DEFAULT_PORT}`)
  const target = path.isAbsolute(to.host)
    ? { path: socketName(to.host) }
    : { host: to.host, port: to.port ?? DEFAULT_PORT }
  const sockets = new Set<Socket>()
  const silenced = new Set<Socket>()
  const mufflers = new Map<Socket, () => void>()
  let isEverythingSilent = false
  let lost: string | undefined
  const join = (near: Socket) => {
    const far = connect(target)
    const muffle = () => {
      silenced.add(near)
      // What is sent fills the buffers, as if packets were lost.
      for (const socket of [near, far]) socket.pause()
    }
    const forward = (from: Socket, into: Socket) =>
      from.on('data', (bytes) => {
        if (silenced.has(near)) return
        into.write(bytes)
        if (from !== near || lost === undefined || !bytes.includes(lost)) return
        muffle()
        lost = undefined
      })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        // The other end of a silent connection does not learn of it.
        if (silenced.has(near)) return
        near.destroy()
        far.destroy()
      })
    }
    forward(near, far)
    forward(far, near)
    mufflers.set(near, muffle)
    near.on('close', () => mufflers.delete(near))
    if (isEverythingSilent) muffle()
  }
  let server: Server | undefined
  const restore = () =>
    new Promise<void>((resolve, reject) => {
      server = createServer(join).once('error', reject)
      server.listen({ path: socketName(folder), readableAll: true, writableAll: true }, resolve)
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
    silence: ({ andNew } = { andNew: false }) => {
      isEverythingSilent = andNew
      for (const muffle of mufflers.values()) muffle()
    },
    loseAnswerTo: (text) => {
      lost = text
    },
    unsilence: () => {
      isEverythingSilent = false
    },
    close: async () => {
      await cut()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
