// A Unix socket through which `npm run reload` reaches the primary process of a site on the same machine.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chmod, rename } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { createConnection, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { UserFacingError } from '#server/platform/config/values.ts'

export interface ReloadRequest {
  program: string
  node: string
}

/** Throws UserFacingError if the workers cannot be replaced. */
export type Reload = (request: ReloadRequest, report: (progress: string) => void) => Promise<string>

type Answer = { progress: string } | { done: string } | { error: string }

/** The operating system allows no longer paths of sockets. */
const MAX_PATH_BYTES = 100
const MAX_REQUEST_BYTES = 10_000

function socketPath(dataDir: string): string {
  const inFolder = path.join(dataDir, '.control')
  if (Buffer.byteLength(inFolder) <= MAX_PATH_BYTES) return inFolder
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return path.join(tmpdir(), `scriptyard-${name}.control`)
}

/** Accepts requests of this user and of root. Windows has no such sockets. Returns a function that stops it. */
export async function openControl(dataDir: string, reload: Reload): Promise<() => Promise<void>> {
  if (process.platform === 'win32') return async () => {}
  const file = socketPath(dataDir)
  const draft = `${file}.${process.pid}`
  const server = createServer((socket) => void answer(socket, reload))
  rmSync(draft, { force: true })
  server.listen(draft)
  await once(server, 'listening')
  // Nobody else may connect, not even for a moment, and a socket of a process that was killed is replaced.
  await chmod(draft, 0o600)
  await rename(draft, file)
  return async () => {
    server.close()
    rmSync(file, { force: true })
  }
}

async function answer(socket: Socket, reload: Reload): Promise<void> {
  // The command may be interrupted; the reload goes on.
  socket.on('error', () => {})
  const send = (line: Answer) => void (socket.writable && socket.write(`${JSON.stringify(line)}\n`))
  try {
    send({ done: await reload(await readRequest(socket), (progress) => send({ progress })) })
  } catch (error) {
    if (!(error instanceof UserFacingError)) console.error(error)
    send({ error: error instanceof UserFacingError ? error.message : 'The reload failed. Look into the log.' })
  }
  socket.end()
}

async function readRequest(socket: Socket): Promise<ReloadRequest> {
  let text = ''
  for await (const line of createInterface(socket)) {
    text = line
    break
  }
  const { program, node } = (text.length < MAX_REQUEST_BYTES ? JSON.parse(text) : {}) as Partial<ReloadRequest>
  if (typeof program !== 'string' || typeof node !== 'string') throw new UserFacingError('The request is not valid.')
  return { program, node }
}

/** Throws UserFacingError if the site is not running or the reload fails. */
export async function requestReload(
  dataDir: string,
  request: ReloadRequest,
  onProgress: (progress: string) => void,
): Promise<string> {
  const socket = createConnection(socketPath(dataDir))
  try {
    await once(socket, 'connect')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserFacingError(
      code === 'EACCES'
        ? 'The site runs as another user. Run this command as that user or as root.'
        : `No site is running with the data folder ${dataDir}. Start it.`,
    )
  }
  socket.write(`${JSON.stringify(request)}\n`)
  for await (const line of createInterface(socket)) {
    const received = JSON.parse(line) as Answer
    if ('progress' in received) onProgress(received.progress)
    if ('error' in received) throw new UserFacingError(received.error)
    if ('done' in received) return received.done
  }
  throw new UserFacingError('The site stopped during the reload. Look into its log.')
}
