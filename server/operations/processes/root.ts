// Root only prepares what needs its rights: the owner of the data folder and a privileged port. Another user runs the site.
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { findBlockedFolder, findUser, giveTo, prepareInstallation } from '@scriptyard/embedded-postgres/installation'
import { readDataDir, readPort } from '#server/platform/config.ts'
import { prepareDataDir } from '#server/platform/config/data-dir.ts'
import type { Environment } from '#server/platform/config/values.ts'
import { canMount, program, runMounted, runWithSocket, type User } from './root-child.ts'
import type { Running } from './run.ts'

/** Resolves with undefined if a child process runs the site, because it needs a port or a folder that only root can open. */
export async function leaveRoot(settings: Environment, running: Running): Promise<Environment | undefined> {
  if (process.getuid?.() !== 0) return settings
  const dataDir = readDataDir(settings)
  // The default depends on the user.
  const env = { ...settings, DATA_DIR: dataDir }
  const stayRoot = (reason: string, advice: string) => {
    console.warn(`The site runs as root, because ${reason}. Start it as another user, or ${advice}.`)
    return env
  }
  const user = chooseUser(dataDir)
  if (!user) return stayRoot('this machine has none of the users scriptyard, postgres and nobody', 'create one of them')
  prepareInstallation()
  if (!canRun(user)) {
    if (!canMount()) return stayRoot(`other users may not enter ${program}`, 'move it, for example to /opt')
    runMounted(running)
    return undefined
  }
  prepareDataDir(dataDir)
  const others = findOtherFiles(dataDir)
  if (others.length > 0) {
    return stayRoot(`DATA_DIR (${dataDir}) has other files (${others.join(', ')})`, 'set it to a folder of its own')
  }
  handOver(dataDir, user)
  const blocked = findBlockedFolder(dataDir, user)
  if (blocked) return stayRoot(`other users may not enter ${blocked}`, 'set DATA_DIR to another folder')
  if (needsRoot(readPort(env))) {
    await runWithSocket(env, user, running)
    return undefined
  }
  process.setgroups?.([user.gid])
  process.setgid?.(user.gid)
  process.setuid?.(user.uid)
  return env
}

export const describeProcess = (dataDir: string): string => `Running as ${findUserName()}, with data in ${dataDir}`

function findUserName(): string {
  try {
    return userInfo().username
  } catch {
    // Containers may run a user id without a name.
    return `user ${process.getuid?.()}`
  }
}

/** The owner of the existing data, else a user of this machine. */
function chooseUser(dataDir: string): User | undefined {
  for (const folder of [path.join(dataDir, 'postgres'), dataDir]) {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats && stats.uid > 0) return { uid: stats.uid, gid: stats.gid }
  }
  const users = ['scriptyard', 'postgres', 'nobody'].map((name) => findUser(name))
  return users.find((user) => user !== undefined && user.uid > 0)
}

/** Files that the site reads while it runs: modules are loaded lazily, and workers are started later. */
const PROGRAM_FILES = ['package.json', 'server/main.ts', 'db/migrations', 'dist', 'node_modules/fastify/package.json']
/** For a shell, which starts in a twentieth of the time that Node takes. `$0` is Node. */
const CAN_RUN = 'test -x "$0" || exit 1; for file; do test -r "$file" || exit 1; done'

function canRun({ uid, gid }: User): boolean {
  const files = PROGRAM_FILES.map((file) => path.join(program, file)).filter((file) => existsSync(file))
  const options = { uid, gid, cwd: '/', env: {}, stdio: 'ignore' } as const
  return spawnSync('/bin/sh', ['-c', CAN_RUN, process.execPath, ...files], options).status === 0
}

/** Names that the site creates in its data folder. */
const OWN_NAMES = /^(secret-key|server\.lock|postgres|media|catalogue-index|dumps|restoring)/
/** Names that may be in the folder and do not concern the site. */
const IGNORED_NAMES = /^(\.|lost\+found$)/

const findOtherFiles = (dataDir: string): string[] =>
  readdirSync(dataDir).filter((name) => !OWN_NAMES.test(name) && !IGNORED_NAMES.test(name))

/** Gives the data folder and the site's files in it to a user. A copy made by root has the wrong owner throughout. */
function handOver(dataDir: string, { uid, gid }: User): void {
  const isForeign = (file: string) => lstatSync(file).uid !== uid
  for (const name of readdirSync(dataDir).filter((one) => OWN_NAMES.test(one))) {
    const file = path.join(dataDir, name)
    const parts = name === 'media' ? readdirSync(file).map((part) => path.join(file, part)) : []
    if ([file, ...parts].some(isForeign)) giveTo({ uid, gid }, file)
  }
  if (statSync(dataDir).uid !== uid) chownSync(dataDir, uid, gid)
}

const FIRST_UNPRIVILEGED_PORT = '/proc/sys/net/ipv4/ip_unprivileged_port_start'

function needsRoot(port: number): boolean {
  try {
    return port < Number(readFileSync(FIRST_UNPRIVILEGED_PORT, 'utf8'))
  } catch {
    return port < 1024
  }
}
