// npm run container [-- --tool podman] [--host-network] [--build=OPTION]... [--run=OPTION]...: builds the image and tries it out: a
// start without capabilities on a read-only file system, requests, a stop during a request, and another start with the same data.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ScriptList } from '#contract/catalogue.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { printResult } from './run-command.ts'

const IMAGE = 'scriptyard'
const PUBLIC_URL = 'http://localhost:3000'
const MAX_IMAGE_BYTES = 400_000_000
/** Time for a start with the demo catalogue. */
const START_SECONDS = 120
/** Time for a stop, as in compose.yaml and in the Helm chart. */
const STOP_SECONDS = 60
const root = path.resolve(import.meta.dirname, '..')

function findTool(): string {
  const program = ['docker', 'podman'].find((tool) => spawnSync(tool, ['info']).status === 0)
  if (program === undefined) throw new UserFacingError('Install Docker or Podman, or start its service.')
  return program
}

/** Returns the size of the image in bytes. */
function buildImage(tool: string, options: string[]): number {
  // Images in the OCI format, Podman's default, have no health check.
  const format = tool === 'podman' ? ['--format', 'docker'] : []
  const args = ['build', ...format, ...options, '-f', 'Containerfile', '-t', IMAGE, '.']
  if (spawnSync(tool, args, { stdio: 'inherit', cwd: root }).status !== 0)
    throw new UserFacingError('The image could not be built.')
  return Number(execFileSync(tool, ['image', 'inspect', '--format', '{{.Size}}', IMAGE], { encoding: 'utf8' }))
}

async function tryOut(site: Site): Promise<string[]> {
  const first = await measure(() => site.start('DEMO_DATA=on'))
  const total = await visit(first.result)
  expect(total > 0, 'The demo catalogue is empty.')
  expect(site.call('exec', site.name, 'id', '-u') !== '0', 'The site runs as root.')
  const stop = await measure(() => stopDuringRequest(first.result, () => site.signal()))
  expect(stop.result === 401, `The request in progress got ${stop.result || 'no response'} when the site was stopped.`)
  const code = site.call('wait', site.name)
  expect(code === '0', `The site ended with exit code ${code}.`)
  site.call('rm', site.name)
  const second = await measure(() => site.start())
  const again = await visit(second.result)
  expect(again === total, `After another start, the site has ${again} of ${total} scripts.`)
  return [
    `First start: healthy after ${first.seconds} s, with ${total} scripts of the demo catalogue.`,
    `SIGTERM: the request in progress was answered; exit code 0 after ${stop.seconds} s.`,
    `Second start: healthy after ${second.seconds} s, with the same scripts.`,
  ]
}

class Site {
  readonly name = `${IMAGE}-check-${process.pid}`
  readonly #tool: string
  readonly #settings: { hasHostNetwork: boolean; options: string[] }

  constructor(tool: string, settings: { hasHostNetwork: boolean; options: string[] }) {
    this.#tool = tool
    this.#settings = settings
  }

  call(...args: string[]): string {
    return execFileSync(this.#tool, args, { encoding: 'utf8' }).trim()
  }

  /** Starts a container with the data of the former one. Returns the site's origin once it is healthy. */
  async start(...settings: string[]): Promise<string> {
    const { hasHostNetwork, options } = this.#settings
    const sealed = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
    const port = await findFreePort()
    const network = hasHostNetwork
      ? ['--network', 'host', '-e', `PORT=${port}`, '-e', 'HOST=127.0.0.1']
      : ['-p', `127.0.0.1:${port}:3000`]
    const environment = [`PUBLIC_URL=${PUBLIC_URL}`, 'LOG_LEVEL=warn', ...settings].flatMap((one) => ['-e', one])
    const volume = ['-v', `${this.name}:/data`]
    this.call('run', '-d', '--name', this.name, ...sealed, ...network, ...volume, ...environment, ...options, IMAGE)
    const end = performance.now() + START_SECONDS * 1000
    while (!this.#isHealthy()) {
      expect(this.#inspect('State.Status') === 'running', 'The site has stopped.')
      expect(performance.now() < end, `The site is not healthy after ${START_SECONDS} s.`)
      await sleep(250)
    }
    return `http://127.0.0.1:${port}`
  }

  /** Runs the check itself: a machine without systemd has no timer for Podman's checks, and Docker's interval is long. */
  #isHealthy(): boolean {
    const [, ...command] = JSON.parse(this.#inspect('Config.Healthcheck.Test', 'json ')) as string[]
    return spawnSync(this.#tool, ['exec', this.name, ...command]).status === 0
  }

  #inspect(field: string, format = ''): string {
    return this.call('inspect', '--format', `{{${format}.${field}}}`, this.name)
  }

  signal(): void {
    this.call('kill', '--signal', 'TERM', this.name)
  }

  printLog(): void {
    const { stdout, stderr } = spawnSync(this.#tool, ['logs', this.name], { encoding: 'utf8' })
    console.error(stdout + stderr)
  }

  remove(): void {
    spawnSync(this.#tool, ['rm', '-f', this.name])
    spawnSync(this.#tool, ['volume', 'rm', '-f', this.name])
  }
}

/** Requests pages, a link preview and a list, and returns the list's total. */
async function visit(origin: string): Promise<number> {
  const get = async (url: string) => {
    const response = await fetch(origin + url)
    expect(response.ok, `${url} answered ${response.status}.`)
    return response
  }
  await get('/readyz')
  expect((await (await get('/scripts')).text()).includes('</html>'), '/scripts is not a page.')
  const { scripts, pagination } = (await (await get('/api/scripts')).json()) as ScriptList
  if (scripts[0]) await get(`/social/${scripts[0].slug}.jpg`)
  return pagination.total
}

/** Stops the site between the two halves of a visitor's request. Returns the status of the response, 0 without one. */
async function stopDuringRequest(origin: string, stop: () => void): Promise<number> {
  const { host, hostname, port } = new URL(origin)
  const body = '{"name":"x"}'
  const socket = connect(Number(port), hostname)
  let response = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (response += chunk))
  await once(socket, 'connect')
  const headers = `origin: ${PUBLIC_URL}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
  socket.write(`POST /api/collections HTTP/1.1\r\nhost: ${host}\r\n${headers}\r\n\r\n${body.slice(0, 5)}`)
  await sleep(300)
  const closed = once(socket, 'close')
  stop()
  await sleep(1000)
  socket.write(body.slice(5))
  await Promise.race([closed, sleep(STOP_SECONDS * 1000, undefined, { ref: false })])
  return Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1] ?? 0)
}

async function measure<T>(run: () => Promise<T>): Promise<{ result: T; seconds: string }> {
  const started = performance.now()
  const result = await run()
  return { result, seconds: ((performance.now() - started) / 1000).toFixed(1) }
}

function expect(isRight: boolean, otherwise: string): void {
  if (!isRight) throw new UserFacingError(otherwise)
}

const toMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`

await printResult(async () => {
  const { values } = parseArgs({
    options: {
      tool: { type: 'string' },
      'host-network': { type: 'boolean', default: false },
      build: { type: 'string', multiple: true, default: [] },
      run: { type: 'string', multiple: true, default: [] },
    },
  })
  const tool = values.tool ?? findTool()
  const bytes = buildImage(tool, values.build)
  expect(bytes <= MAX_IMAGE_BYTES, `The image has ${toMegabytes(bytes)}; the limit is ${toMegabytes(MAX_IMAGE_BYTES)}.`)
  const site = new Site(tool, { hasHostNetwork: values['host-network'], options: values.run })
  try {
    return [`The image has ${toMegabytes(bytes)}.`, ...(await tryOut(site))].join('\n')
  } catch (error) {
    site.printLog()
    throw error
  } finally {
    site.remove()
  }
})
