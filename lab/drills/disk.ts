import { spawnSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import type { ClusterOptions } from './cluster.ts'

const DISK_BYTES = 640 * 2 ** 20
const CHUNK = Buffer.alloc(2 ** 20)
/** The disk is visible for the node only, and disappears with it. */
const MOUNT = `mount -t tmpfs -o size=${DISK_BYTES},mode=700,uid=$2,gid=$3 tmpfs "$1" || exit 1
run="setpriv --reuid=$2 --regid=$3 --clear-groups"; shift 3; exec $run "$@"`

/** Wraps the command of a node so that it runs on a small disk of its own. Undefined where mounting is not allowed. */
export function wrapInSmallDisk(): ClusterOptions['wrapFirst'] {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  if (spawnSync('unshare', ['-m', 'true']).status !== 0) return undefined
  return (folder, { uid, gid }) => ['unshare', '-m', 'sh', '-c', MOUNT, 'sh', folder, String(uid), String(gid)]
}

/** Fills the disk of this file to the last block. Returns a function that frees the space. */
export function fillDisk(file: string): () => void {
  for (let size = CHUNK.length; size >= 512;) {
    try {
      appendFileSync(file, CHUNK.subarray(0, size))
    } catch {
      size /= 2
    }
  }
  return () => rmSync(file, { force: true })
}
