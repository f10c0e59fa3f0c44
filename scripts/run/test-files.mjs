import { readFileSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const IN_MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 4 * 2 ** 30

/**
 * Where the tests create the folder with their files: in memory where Linux has enough of it, else in the temporary folder.
 * Tests create and drop databases of hundreds of files all the time, which costs a disk's file system most of their CPU time.
 */
export function parentOfTestFiles() {
  return process.env.TMPDIR || !hasMemory() ? tmpdir() : IN_MEMORY
}

function hasMemory() {
  try {
    const [, options = ''] = /^tmpfs \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8')) ?? []
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    // Tests run copies of PostgreSQL's programs there.
    const isUsable = /\brw\b/.test(options) && !/\bnoexec\b/.test(options)
    return isUsable && Math.min(bavail * bsize, freemem()) >= MIN_FREE_BYTES
  } catch {
    return false
  }
}
