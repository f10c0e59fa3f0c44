import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fromRoot } from './paths.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const PARENT_CHECK_MS = 300
const MAX_FLUSH_MS = 1000

/** Folder of Node's compile cache. */
export const compileCache = () => process.env.NODE_COMPILE_CACHE || fromRoot('node_modules/.cache/node')

/** Environment of child processes: the project's Node and programs come first in PATH. */
function environment(node, extra) {
  const folders = [path.dirname(node), fromRoot('node_modules/.bin'), process.env.PATH]
  return { ...process.env, PATH: folders.join(path.delimiter), NODE_COMPILE_CACHE: compileCache(), ...extra }
}

/** Programs that `step` runs, and whether a signal has stopped them. */
const running = new Set()
let isStopped = false

/**
 * Runs a Node program and resolves with its exit code. Forwards signals, and exits after all programs have exited on one.
 * npm sends SIGTERM only to its shell, which exits without forwarding it, so a changed parent counts as SIGTERM.
 * With `outputAfter`, the program's output appears when that promise is fulfilled.
 */
export function step(node, args, extra, { outputAfter, ...options } = {}) {
  const output = outputAfter ? 'pipe' : 'inherit'
  const defaults = { stdio: ['ignore', output, output], env: environment(node, extra) }
  const child = spawn(node, args, { ...defaults, ...options })
  const shown = outputAfter ? showLater(child, outputAfter) : undefined
  running.add(child)
  const forward = (signal) => {
    isStopped = true
    child.kill(signal)
  }
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) forward('SIGTERM')
  }, PARENT_CHECK_MS)
  for (const signal of SIGNALS) process.on(signal, forward)
  return new Promise((resolve) => {
    child.on('error', (error) => {
      running.delete(child)
      console.error(error.message)
      resolve(1)
    })
    child.on('exit', async (code) => {
      clearInterval(watch)
      for (const signal of SIGNALS) process.off(signal, forward)
      running.delete(child)
      if (isStopped && running.size === 0) process.exit(code ?? 1)
      if (isStopped) return
      await shown
      resolve(code ?? 1)
    })
  })
}

/** Shows the output of a program from a moment on, and what it has written before. Resolves when all of it is shown. */
async function showLater({ stdout, stderr }, moment) {
  const chunks = []
  let show = (chunk) => void chunks.push(chunk)
  for (const stream of [stdout, stderr]) stream.on('data', (chunk) => show(chunk))
  const ended = Promise.all([once(stdout, 'end'), once(stderr, 'end')])
  await moment
  show = (chunk) => void process.stdout.write(chunk)
  for (const chunk of chunks) show(chunk)
  // A process that the program has left running may hold its output open.
  await Promise.race([ended, sleep(MAX_FLUSH_MS)])
}

/** Like `step`, but exits on failure. */
export async function must(node, args, extra) {
  const code = await step(node, args, extra)
  if (code !== 0) process.exit(code)
}

/** Like `step`, with stdin, and with an IPC channel that tells the program when this process is killed. Exits with its code. */
export async function foreground(node, args, extra) {
  process.exit(await step(node, args, extra, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }))
}
