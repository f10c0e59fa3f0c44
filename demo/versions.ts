import { gameHistories } from '#demo/versions/games.ts'
import { moduleHistories } from '#demo/versions/modules.ts'
import { motionHistories } from '#demo/versions/motion.ts'
import type { DemoHistory } from './types.ts'

export const demoHistories: Record<string, DemoHistory> = { ...moduleHistories, ...motionHistories, ...gameHistories }

export interface DemoVersionCode {
  version: string
  /** Undefined for the current version, which is as old as the script's last update. */
  daysAgo: number | undefined
  notes: string | null
  content: string
}

/** Oldest first, made from the current code. Throws an Error if a passage is not in the code exactly once. */
export function versionsOf(file: string, version: string, content: string): DemoVersionCode[] {
  const { notes = null, earlier = [] } = demoHistories[file] ?? {}
  const versions: DemoVersionCode[] = [{ version, daysAgo: undefined, notes, content }]
  let code = content
  for (const { since, ...former } of earlier) {
    for (const [later, passage] of since) {
      const parts = code.split(later)
      if (parts.length !== 2) throw new Error(`${file} ${former.version}: found ${parts.length - 1} times: ${later}`)
      code = parts.join(passage)
    }
    versions.push({ ...former, content: code })
  }
  return versions.toReversed()
}
