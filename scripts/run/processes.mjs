import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { at } from './place.mjs'

/** The environment of everything that runs below: the right Node and the project's programs come first. */
export function environment(node, extra = {}) {
  const places = [path.dirname(node), at('node_modules/.bin'), process.env.PATH]
  const cache = process.env.NODE_COMPILE_CACHE ?? at('node_modules/.cache/node')
  return { ...process.env, PATH: places.join(path.delimiter), NODE_COMPILE_CACHE: cache, ...extra }
}

/** Runs to its end and gives its exit code. */
export function step(node, args, extra) {
  const result = spawnSync(node, args, { stdio: ['ignore', 'inherit', 'inherit'], env: environment(node, extra) })
  return result.status ?? 1
}

/** The same; a failure ends everything. */
export function must(node, args, extra) {
  const code = step(node, args, extra)
  if (code !== 0) process.exit(code)
}

/**
 * Runs in front until it ends, passes signals on and ends with its code. npm hands SIGTERM to its shell only, which
 * dies without passing it on: a changed parent means the same.
 */
export function foreground(node, args, extra) {
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(node, args, { stdio, env: environment(node, extra) })
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 300)
  watch.unref()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
