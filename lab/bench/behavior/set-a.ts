// Set A: real scripts, by repository, commit, path and hash, with their labels. The scripts themselves are not here.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { CapabilityId } from '#contract/behavior-names.ts'

interface Row {
  number: string
  repository: string
  commit: string
  path: string
  sha256: string
  bytes: number
  stratum: 'benign' | 'hub' | 'opaque'
  half: 'tuning' | 'held-out'
  /** Labels of a single pass by the author of the analyzer, who did not see its findings. */
  author?: CapabilityId[]
  /** Labels of two independent passes, and the settled ones. */
  first?: CapabilityId[]
  second?: CapabilityId[]
  labels?: CapabilityId[]
}

export interface RealScript extends Row {
  name: string
  code: string
}

/** The scripts of set A that the folder has. Throws if one has another content than the labeled one. */
export function readSetA(folder: string): RealScript[] {
  const file = new URL('set-a.json', import.meta.url)
  const rows = JSON.parse(readFileSync(file, 'utf8')) as Row[]
  return rows.flatMap((row) => {
    const candidates = [path.join(folder, `${row.number}.luau`), path.join(folder, row.repository, row.path)]
    const found = candidates.find((one) => existsSync(one))
    if (found === undefined) return []
    const bytes = readFileSync(found)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (sha256 !== row.sha256) throw new Error(`${found} is not the script that was labeled.`)
    return [{ ...row, name: row.number, code: bytes.toString('utf8') }]
  })
}
