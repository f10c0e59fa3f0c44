import compilerUrl from 'luau-web/compiler.wasm?url'
// oxlint-disable-next-line import/default -- Vite exports the URL of the built file
import workerUrl from './compile-worker.ts?worker&url'
import type { CompileRequest } from './compile-worker.ts'
import type { CompileResult } from '@scriptyard/luau-behavior/compile'

const DELAY_MS = 100
const MAX_DELAY_MS = 1000
/** Compiling a megabyte takes a second on a slow device. */
const TIME_LIMIT_MS = 5000
/** Each instance of the compiler takes 18 MB, which browsers free late. */
const MAX_CHECKS = 40

const UNKNOWN: CompileResult = { compiles: null, error: null }

interface Policy {
  createScriptURL: (url: string) => string
}
interface PolicyFactory {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => Policy
}

let policy: Policy | undefined

/** The worker's URL, created once per page by the only policy that the page's `trusted-types` directive allows. */
function trustedWorkerUrl(): string {
  const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes
  policy ??= factory?.createPolicy('compile-worker', { createScriptURL: () => workerUrl })
  return policy ? policy.createScriptURL('') : workerUrl
}

const send = (worker: Worker, request: CompileRequest, transfer: Transferable[] = []) =>
  worker.postMessage(request, transfer)

/** Checks in a worker whether code compiles, while it is being typed. */
export class CompileCheck {
  readonly #onResult: (result: CompileResult) => void
  #worker: Promise<Worker> | undefined
  #checks = 0
  #readCode: (() => string) | undefined
  #isRunning = false
  #delay = DELAY_MS
  #timer: ReturnType<typeof setTimeout> | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  /** `onResult` receives the result of the newest code only. */
  constructor(onResult: (result: CompileResult) => void) {
    this.#onResult = onResult
  }

  /** Loads the compiler, so that the first check is as quick as the others. */
  prepare(): void {
    this.#worker ??= this.#start()
    // Without a compiler, the editor works without the check.
    this.#worker.catch(() => this.#restart())
  }

  /** Checks the code after a short pause, unless there is newer code by then. */
  check(readCode: () => string): void {
    this.#readCode = readCode
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#run(), this.#delay)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#restart()
  }

  async #run(): Promise<void> {
    // While a check runs, newer code waits.
    if (this.#isRunning || !this.#readCode) return
    const code = this.#readCode()
    this.#readCode = undefined
    this.#isRunning = true
    const result = code.trim() === '' ? UNKNOWN : await this.#compile(code).catch(() => UNKNOWN)
    this.#isRunning = false
    if (this.#isClosed) return
    if (this.#readCode) this.check(this.#readCode)
    else this.#onResult(result)
  }

  async #compile(code: string): Promise<CompileResult> {
    if (this.#checks >= MAX_CHECKS) this.#restart()
    this.prepare()
    this.#checks += 1
    const worker = await this.#worker
    if (!worker) return UNKNOWN
    const startedAt = performance.now()
    const ended = new AbortController()
    try {
      return await new Promise<CompileResult>((resolve, reject) => {
        const { signal } = ended
        this.#deadline = setTimeout(() => reject(new Error('The compiler took too long.')), TIME_LIMIT_MS)
        worker.addEventListener('message', ({ data }: MessageEvent<CompileResult>) => resolve(data), { signal })
        worker.addEventListener('error', () => reject(new Error('The compiler failed.')), { signal })
        send(worker, { code })
      })
    } catch (error) {
      this.#restart()
      throw error
    } finally {
      clearTimeout(this.#deadline)
      ended.abort()
      // Large code is checked less often.
      this.#delay = Math.min(MAX_DELAY_MS, Math.max(DELAY_MS, performance.now() - startedAt))
    }
  }

  /** Starts a worker. It may load nothing itself, so it receives the compiler from the page. */
  async #start(): Promise<Worker> {
    const response = await fetch(compilerUrl)
    if (!response.ok) throw new Error(`The compiler could not be loaded: HTTP ${response.status}.`)
    const compiler = await response.arrayBuffer()
    const worker = new Worker(trustedWorkerUrl(), { type: 'module' })
    send(worker, { compiler }, [compiler])
    return worker
  }

  #restart(): void {
    const worker = this.#worker
    this.#worker = undefined
    this.#checks = 0
    void worker?.then(
      (started) => started.terminate(),
      () => undefined,
    )
  }
}
