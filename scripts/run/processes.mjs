import { spawn } from 'node:child_process'
import path from 'node:path'
import { at } from './place.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const PARENT_CHECK_MS = 300

/** The environment of everything that runs below: the right Node and the project's programs come first. */
function environment(node, extra) {
  const places = [path.dirname(node), at('node_modules/.bin'), process.env.PATH]
  const cache = process.env.NODE_COMPILE_CACHE ?? at('node_modules/.cache/node')
  return { ...process.env, PATH: places.join(path.delimiter), NODE_COMPILE_CACHE: cache, ...extra }
}

/**
 * Runs a program of Node's to its end and gives its exit code. Signals are passed on, and end everything once the
 * program has ended. npm hands SIGTERM to its shell only, which dies without passing it on: a changed parent means the
 * same.
 */
export function step(node, args, extra, options) {
  const usual = { stdio: ['ignore', 'inherit', 'inherit'], env: environment(node, extra) }
  const child = spawn(node, args, { ...usual, ...options })
  let isStopped = false
  const pass = (signal) => {
    isStopped = true
    child.kill(signal)
  }
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) pass('SIGTERM')
  }, PARENT_CHECK_MS)
  for (const signal of SIGNALS) process.on(signal, pass)
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.on('exit', (code) => {
      clearInterval(watch)
      for (const signal of SIGNALS) process.off(signal, pass)
      if (isStopped) process.exit(code ?? 1)
      resolve(code ?? 1)
    })
  })
}

/** The same; a failure ends everything. */
export async function must(node, args, extra) {
  const code = await step(node, args, extra)
  if (code !== 0) process.exit(code)
}

/** Runs with the keyboard, and with a channel by which the program sees when this one is killed; ends with its code. */
export async function foreground(node, args, extra) {
  process.exit(await step(node, args, extra, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }))
}
