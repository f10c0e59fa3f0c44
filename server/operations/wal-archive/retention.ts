import type { BackupStorage } from '#server/operations/backup/storage.ts'
import { BASE_KEY, BASE_MANIFEST, BASE_TAR, baseObject, readArchive, segmentOf } from './archive.ts'
import { readSegment, walObject } from './wal-files.ts'

const DAY_MS = 86_400_000

/** Also removes drafts of killed processes. Run it after a base backup, while no other one is written. */
export async function removeExpired(storage: BackupStorage, retainedDays: number, now = new Date()): Promise<void> {
  const { bases, segments, unfinished, drafts } = await readArchive(storage)
  const since = now.getTime() - retainedDays * DAY_MS
  const firstRetained = bases.findLastIndex(({ finished_at }) => Date.parse(finished_at) <= since)
  const [oldest] = bases.slice(Math.max(0, firstRetained))
  if (!oldest) return
  for (const { name } of bases.slice(0, Math.max(0, firstRetained))) await removeBase(storage, name)
  for (const name of unfinished) await removeBase(storage, name)
  const first = segmentOf(oldest.start)
  for (const name of segments) {
    if ((readSegment(name)?.segment ?? first) < first) await storage.remove(walObject(name))
  }
  for (const { name, changedAt } of drafts) {
    if (changedAt.getTime() < now.getTime() - DAY_MS) await storage.remove(name)
  }
}

/** The manifest first, so that the rest does not count. */
async function removeBase(storage: BackupStorage, name: string): Promise<void> {
  for (const file of [BASE_MANIFEST, BASE_KEY, BASE_TAR]) await storage.remove(baseObject(name, file))
}
