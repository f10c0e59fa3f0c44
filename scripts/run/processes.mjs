import { spawn } from 'node:child_process'
import path from 'node:path'
import { fromRoot } from './paths.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const PARENT_CHECK_MS = 300

export const compileCache = () => process.env.NODE_COMPILE_CACHE || fromRoot('node_modules/.cache/node')

/** Environment of child processes: the project's Node and programs come first in PATH. */
function environment(node, extra) {
  const folders = [path.dirname(node), fromRoot('node_modules/.bin'), process.env.PATH]
  return { ...process.env, PATH: folders.join(path.delimiter), NODE_COMPILE_CACHE: compileCache(), ...extra }
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/**
 * Runs a Node program and resolves with its exit code. Forwards signals, and exits after all programs have exited on one.
 * npm sends SIGTERM only to its shell, which exits without forwarding it, so a changed parent counts as SIGTERM. With
 * `onOutput`, what the program prints goes there.
 */
export function step(node, args, extra, { onOutput, ...options } = {}) {
  const output = onOutput ? 'pipe' : 'inherit'
  const defaults = { stdio: ['ignore', output, output], env: environment(node, extra) }
  const child = spawn(node, args, { ...defaults, ...options })
  running.add(child)
  if (onOutput) for (const stream of [child.stdout, child.stderr]) stream.on('data', onOutput)
  let isStopped = false
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
    // `close` comes after the last output.
    child.on(onOutput ? 'close' : 'exit', (code) => {
      clearInterval(watch)
      for (const signal of SIGNALS) process.off(signal, forward)
      running.delete(child)
      if (!isStopped) resolve(code ?? 1)
      else if (running.size === 0) process.exit(code ?? 1)
    })
  })
}

/** Like `step`, but exits on failure. */
export async function must(node, args, extra, options) {
  const code = await step(node, args, extra, options)
  if (code !== 0) process.exit(code)
}

/** Like `step`, with stdin, and with an IPC channel that tells the program when this process is killed. Exits with its code. */
export async function foreground(node, args, extra) {
  process.exit(await step(node, args, extra, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }))
}
