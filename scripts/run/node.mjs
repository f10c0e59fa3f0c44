import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fromRoot, isWindows } from './paths.mjs'

const MIN_NODE = [22, 22]

function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])
}

/** Path of the Node that runs everything: the one in package-lock.json, else this one if it is new enough. npm does not link the first. */
export function findNode() {
  const { platform, arch } = process
  const family = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  const folder = `${family}-${isWindows ? 'win' : platform}-${arch}`
  const locked = fromRoot('node_modules', folder, 'bin', isWindows ? 'node.exe' : 'node')
  if (existsSync(locked) && spawnSync(locked, ['--version']).status === 0) return locked
  if (isNewEnough()) return process.execPath
  console.error(
    `Scriptyard needs Node ${MIN_NODE.join('.')} or later on ${platform}-${arch}; this is ${process.version}.`,
  )
  return process.exit(1)
}
