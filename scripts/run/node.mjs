import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { at, isWindows } from './place.mjs'

const LEAST = [22, 22]

function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])
}

/** The Node that everything runs on: the locked one, else this one when it is new enough. npm makes no link to the first. */
export function findNode() {
  const { platform, arch } = process
  const family = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  const folder = `${family}-${isWindows ? 'win' : platform}-${arch}`
  const locked = at('node_modules', folder, 'bin', isWindows ? 'node.exe' : 'node')
  if (existsSync(locked) && spawnSync(locked, ['--version']).status === 0) return locked
  if (isNewEnough()) return process.execPath
  console.error(`Scriptyard needs Node ${LEAST.join('.')} or later on ${platform}-${arch}; this is ${process.version}.`)
  return process.exit(1)
}
