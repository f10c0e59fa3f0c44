// The site in a child process of root, which waits for it, passes signals on and exits with its code.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { BoundSocket } from 'node:net'
import path from 'node:path'
import { readHost, readPort } from '#server/platform/config.ts'
import { makeFolder } from '#server/platform/config/data-dir.ts'
import type { Environment } from '#server/platform/config/values.ts'
import { SOCKET_VARIABLE, toListenError } from './listen.ts'
import type { Running } from './run.ts'

export interface User {
  uid: number
  gid: number
}

export const program = path.resolve(import.meta.dirname, '../../..')

/** Where a program folder that other users may not enter is mounted, visible for the site's processes only. */
const MOUNT_POINT = '/var/lib/scriptyard/program'
const MOUNT = 'mount --bind "$1" "$2" && shift 2 && exec "$@"'
const inNamespace = (...command: string[]) => ['-m', 'sh', '-c', MOUNT, 'sh', program, MOUNT_POINT, ...command]

/** Whether `runMounted` works: it needs Linux, the right to mount, and a Node in the program folder. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || program === MOUNT_POINT || !isBelow(program, process.execPath)) return false
  makeFolder(MOUNT_POINT, 0o755)
  return spawnSync('unshare', inNamespace('true'), { stdio: 'ignore' }).status === 0
}

/** Runs the site from `MOUNT_POINT`, where another user can reach the program. The child leaves root by itself. */
export function runMounted(running: Running): void {
  const [node, main] = [process.execPath, process.argv[1] ?? ''].map((file) => toMountPoint(file))
  const { NODE_COMPILE_CACHE: cache = '' } = process.env
  const env = { ...process.env, NODE_COMPILE_CACHE: toMountPoint(cache) }
  const args = inNamespace(node ?? '', ...process.execArgv, main ?? '')
  superviseSite(spawn('unshare', args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }), running)
}

const isBelow = (folder: string, file: string): boolean => file.startsWith(folder + path.sep)
const toMountPoint = (file: string): string =>
  isBelow(program, file) ? path.join(MOUNT_POINT, path.relative(program, file)) : file

/** Runs the site as `user` on a port that root opens. Throws SettingError if the address is not available. */
export async function runWithSocket(env: Environment, user: User, running: Running): Promise<void> {
  const address = { port: readPort(env), host: readHost(env) }
  const socket = await openSocket(address).catch((error: NodeJS.ErrnoException) => {
    throw toListenError(error, address)
  })
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? ''], {
    ...user,
    // Without the .env of the working directory, which may be private. Its values are in `env`.
    cwd: '/',
    env: { ...env, [SOCKET_VARIABLE]: '3' },
    stdio: ['ignore', 'inherit', 'inherit', socket.fd(), 'ipc'],
  })
  socket.close()
  superviseSite(child, running)
}

async function openSocket({ port, host }: { port: number; host: string }): Promise<BoundSocket> {
  const { address } = await lookup(host)
  return new BoundSocket({ port, host: address })
}

function superviseSite(child: ChildProcess, { closers, stop }: Running): void {
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code) => {
      resolve()
      void stop(code ?? 1)
    })
    child.once('error', (error) => {
      console.error(error.message)
      resolve()
      void stop(1)
    })
  })
  closers.push(() => {
    child.kill('SIGTERM')
    return ended
  })
}
