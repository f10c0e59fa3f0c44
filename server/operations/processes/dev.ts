// npm run dev: starts PostgreSQL and the fake Discord once, and restarts the server when a source file changes.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import path from 'node:path'
import { readConfig } from '#server/platform/config.ts'
import { readEnvironment } from '#server/platform/config/values.ts'
import { prepare, prepareDatabase, type Site } from './prepare.ts'
import { runUntilStopped } from './run.ts'
import { isMessage, type MessageFromWorker, type MessageToWorker } from './workers.ts'

const root = path.resolve(import.meta.dirname, '../../..')
/** The browser's sources are not among them: Vite reloads those. */
const WATCHED = ['server', 'contract', 'packages', 'demo', 'db']
/** An editor may write several files at once. */
const DEBOUNCE_MS = 100
const STOP_TIMEOUT_MS = 5000

class DevServer {
  readonly #site: Site
  #child: ChildProcess | undefined
  #timer: NodeJS.Timeout | undefined
  #restarting: Promise<void> = Promise.resolve()
  #isStopping = false

  constructor(site: Site) {
    this.#site = site
  }

  start(): void {
    const child = fork(path.join(import.meta.dirname, 'worker.ts'), { serialization: 'advanced' })
    this.#child = child
    const send = (message: MessageToWorker) => child.connected && child.send(message)
    child.on('message', (value: unknown) => {
      if (!isMessage(value)) return
      const message = value as MessageFromWorker
      if (message.type === 'ready') send({ type: 'start', site: this.#site, isFirst: true, isReplacement: false })
      if (message.type === 'failed') console.error(message.reason)
      if (message.type === 'listening')
        console.log(`${this.#site.config.siteName} is at ${this.#site.config.publicUrl}`)
    })
    child.on('exit', (code) => {
      if (code) console.error('The server stopped. Fix the error and save a file to start it again.')
    })
  }

  restartSoon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#restarting = this.#restarting.then(() => this.#restart()).catch((error: unknown) => console.error(error))
    }, DEBOUNCE_MS)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    await this.#restarting
    await this.#stopChild()
  }

  async #restart(): Promise<void> {
    await this.#stopChild()
    if (this.#isStopping) return
    console.log('Restarting the server...')
    // A migration may have been added.
    await prepareDatabase(this.#site)
    this.start()
  }

  async #stopChild(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    if (child.connected) child.send({ type: 'stop' } satisfies MessageToWorker)
    const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await ended
    clearTimeout(timeout)
  }
}

await runUntilStopped(async ({ closers }) => {
  const site = await prepare(readConfig(readEnvironment()), closers)
  const server = new DevServer(site)
  closers.push(() => server.stop())
  for (const folder of WATCHED) {
    const watcher = watch(path.join(root, folder), { recursive: true }, () => server.restartSoon())
    closers.push(async () => watcher.close())
  }
  server.start()
})
