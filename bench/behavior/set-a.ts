// Set A: real scripts, by repository, commit, path and hash, with their labels. The scripts themselves are not here.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { CAPABILITY_IDS } from '../../contract/behavior-names.ts'

const labels = z.array(z.enum(CAPABILITY_IDS))
const script = z.object({
  number: z.string(),
  repository: z.string(),
  commit: z.string(),
  path: z.string(),
  sha256: z.string(),
  bytes: z.number(),
  stratum: z.enum(['benign', 'hub', 'opaque']),
  half: z.enum(['tuning', 'held-out']),
  /** Labels of a single pass by the author of the analyzer, who did not see its findings. */
  author: labels.optional(),
  /** Labels of two independent passes, and the settled ones. */
  first: labels.optional(),
  second: labels.optional(),
  labels: labels.optional(),
})

export interface RealScript extends z.infer<typeof script> {
  name: string
  code: string
}

/** The scripts of set A that the folder has. Throws if one has another content than the labeled one. */
export function readSetA(folder: string): RealScript[] {
  const file = new URL('set-a.json', import.meta.url)
  const rows = z.array(script).parse(JSON.parse(readFileSync(file, 'utf8')))
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
