import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Binaries, EmbeddedPostgresError, giveTo, type Owner, runProgram } from './installation.ts'

/** Options of a connection, as `pg` takes them. */
export interface Connection {
  /** Folder of the Unix socket; on Windows the loopback address. */
  host: string
  user: string
  database: string
  port?: number
  password?: string
}

export interface Cluster {
  folder: string
  binaries: Binaries
  owner: Owner
  address: Address
  /** False for throwaway databases. */
  durable: boolean
  maxConnections: number
  settings: Record<string, string>
  environment: Record<string, string>
}

/** Creates the cluster if it does not exist. A draft folder is renamed at the end, so a crash leaves no half cluster. */
export async function createCluster({ folder, binaries, owner, address, durable }: Cluster): Promise<void> {
  if (existsSync(folder)) return
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  createPrivateFolder(draft, owner)
  const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const sync = durable ? [] : ['--no-sync']
  const user = ['-U', address.connection.user, ...address.initdbOptions]
  try {
    await runProgram(binaries.initdb, ['-D', draft, ...user, ...locale, ...sync, '--no-instructions'], owner, draft)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
  renameSync(draft, folder)
}

/**
 * Gives an existing cluster the owner and the mode that PostgreSQL demands, which a copy of the folder has lost. Throws
 * EmbeddedPostgresError `wrong_owner` if it belongs to another user and this process is not root.
 */
export function claimCluster(folder: string, { uid = process.getuid?.(), gid }: Owner): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (!stats || uid === undefined) return
  if (stats.uid !== uid) {
    if (gid === undefined) {
      throw new EmbeddedPostgresError('wrong_owner', `${folder} belongs to another user.`, { folder })
    }
    giveTo({ uid, gid }, folder)
  }
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700)
}

export function createPrivateFolder(folder: string, owner: Owner): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform === 'win32') return
  const stats = lstatSync(folder)
  const uid = owner.uid ?? process.getuid?.()
  if (!stats.isDirectory() || (stats.uid !== uid && stats.uid !== process.getuid?.())) {
    throw new Error(`The folder ${folder} belongs to another user. Remove it and start again.`)
  }
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  chmodSync(folder, 0o700)
}

/** Bytes in the path of a socket, on macOS. */
const MAX_SOCKET_PATH = 103

/** In the temporary folder, under a hash of the data folder: the path of a socket is limited. */
export function socketFolder(dataDir: string): string {
  const name = `pg-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const folder = path.join(tmpdir(), name)
  const isTooLong = Buffer.byteLength(path.join(folder, '.s.PGSQL.5432')) > MAX_SOCKET_PATH
  return isTooLong ? path.join('/tmp', name) : folder
}

export interface Address {
  connection: Connection
  initdbOptions: string[]
  settings: Record<string, string | number>
  close(): void
}

const DATABASE = 'postgres'

/**
 * A Unix socket in a folder that no other user may enter, so no password is needed. Throws EmbeddedPostgresError
 * `no_temporary_folder` if this process may not create it.
 */
export function openSocketAddress(dataDir: string, user: string, owner: Owner): Address {
  const host = socketFolder(dataDir)
  try {
    createPrivateFolder(host, owner)
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    const folder = path.dirname(host)
    throw new EmbeddedPostgresError('no_temporary_folder', `No folder can be created in ${folder}.`, { folder })
  }
  return {
    connection: { host, user, database: DATABASE },
    initdbOptions: ['--auth=trust'],
    // In quotes, because the setting is a list.
    settings: { listen_addresses: '', unix_socket_directories: `"${host.replaceAll('"', '""')}"` },
    close: () => rmSync(host, { recursive: true, force: true }),
  }
}

/** Loopback with a generated password, for Windows, where Node does not connect to socket files. */
export async function openLoopbackAddress(dataDir: string, user: string): Promise<Address> {
  const passwordFile = path.join(dataDir, 'postgres-password')
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
  const host = '127.0.0.1'
  const port = await findFreePort(host)
  return {
    connection: { host, port, user, database: DATABASE, password: readFileSync(passwordFile, 'utf8') },
    initdbOptions: ['--auth=scram-sha-256', `--pwfile=${passwordFile}`],
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
