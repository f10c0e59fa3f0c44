// The layout of a WAL archive, and what can be restored from it.
//   wal/NAME.gz          segments and history files of PostgreSQL
//   wal/cluster.json     which database they belong to
//   base/TIME/           base backups: base.tar.gz, secret-key, and base.json, which is written last
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/schema'
import { type BackupStorage, isDraft, type StoredObject } from '#server/operations/backup/storage.ts'
import {
  decompress,
  hex,
  parseJson,
  readArchiveTime,
  readSegment,
  SEGMENT_BYTES,
  segmentName,
  walObject,
} from './wal-files.ts'

export const BASE_MANIFEST = 'base.json'
export const BASE_TAR = 'base.tar.gz'
export const BASE_KEY = 'secret-key'
const FORMAT = 'scriptyard-base-backup'

const Sum = Type.Object({ bytes: Type.Integer(), sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) })
const LSN = Type.String({ pattern: '^[0-9A-F]{1,8}/[0-9A-F]{1,8}$' })

const Base = Type.Object({
  format: Type.Literal(FORMAT),
  system_identifier: Type.String(),
  postgres_version: Type.String(),
  /** From the clock of the database. Any later moment can be restored. */
  finished_at: Type.String(),
  timeline: Type.Integer(),
  /** Positions in the WAL between which it is needed to make the copy consistent. */
  start: LSN,
  stop: LSN,
  tar: Sum,
  /** Of the key file; null if the site has none. */
  secret_key: Type.Union([Type.Null(), Sum]),
})
const base = Compile(Base)

export type BaseManifest = Static<typeof Base>

export interface BaseBackup extends BaseManifest {
  name: string
}

export const toBaseManifest = (values: Omit<BaseManifest, 'format'>): Buffer =>
  Buffer.from(`${JSON.stringify({ format: FORMAT, ...values }, null, 2)}\n`)

export const baseObject = (name: string, file: string): string => `base/${name}/${file}`

function readPosition(lsn: string): number {
  const [high = '', low = ''] = lsn.split('/')
  return Number.parseInt(high, 16) * 0x1_0000_0000 + Number.parseInt(low, 16)
}

export const segmentOf = (lsn: string): number => Math.floor(readPosition(lsn) / SEGMENT_BYTES)

const HISTORY = /^([0-9A-F]{8})\.history$/

/** A line of history: segments of a timeline, which ends where a restored database branched off. */
interface Timeline {
  id: number
  end?: number
}

export interface Archive {
  /** Complete base backups, oldest first. */
  bases: BaseBackup[]
  /** Names of incomplete ones: killed or in progress. */
  unfinished: string[]
  segments: ReadonlySet<string>
  /** The ancestors of the newest timeline, and itself at the end. */
  timelines: Timeline[]
  /** Drafts of writes that were killed or are in progress. */
  drafts: StoredObject[]
}

/** Throws UserFacingError. */
export async function readArchive(storage: BackupStorage): Promise<Archive> {
  const files = await storage.list('wal/')
  const names = files.flatMap(({ name }) => /^wal\/(.+)\.gz$/.exec(name)?.[1] ?? [])
  const bases: BaseBackup[] = []
  const folders = new Set<string>()
  const objects = await storage.list('base/')
  for (const { name: object } of objects) {
    const [, name = '', file] = object.split('/')
    folders.add(name)
    if (file !== BASE_MANIFEST) continue
    const values = parseJson((await storage.read(object)) ?? Buffer.from(''))
    if (base.Check(values)) bases.push({ name, ...values })
  }
  const complete = new Set(bases.map(({ name }) => name))
  return {
    bases: bases.toSorted((a, b) => Date.parse(a.finished_at) - Date.parse(b.finished_at)),
    unfinished: [...folders].filter((name) => !complete.has(name)),
    segments: new Set(names.filter((name) => readSegment(name))),
    timelines: await readTimelines(storage, names, bases),
    drafts: [...files, ...objects].filter(({ name }) => isDraft(name)),
  }
}

async function readTimelines(storage: BackupStorage, names: string[], bases: BaseBackup[]): Promise<Timeline[]> {
  const histories = names.flatMap((name) => HISTORY.exec(name)?.[1] ?? []).map((id) => Number.parseInt(id, 16))
  const newest = Math.max(1, ...histories, ...bases.map(({ timeline }) => timeline))
  const bytes = await storage.read(walObject(`${hex(newest)}.history`))
  const text = bytes ? ((await decompress(bytes))?.toString() ?? '') : ''
  const ancestors = text.split('\n').flatMap((line) => {
    const [, id, end] = /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/.exec(line) ?? []
    return id === undefined || end === undefined ? [] : [{ id: Number(id), end: readPosition(end) }]
  })
  return [...ancestors, { id: newest }]
}

/** The moments that one base backup and the WAL after it can restore. */
export interface Range {
  base: BaseBackup
  from: Date
  /** About a minute before the last change that the archive has, or later. */
  to: Date
  /** The segment that is missing after `to`, if the archive has later ones. */
  missing?: string
}

/** The ranges of moments that can be restored, by base backup, oldest first. They may overlap. */
export async function findRanges(storage: BackupStorage, archive: Archive): Promise<Range[]> {
  const { segments, timelines } = archive
  const numbers = [...segments].map((name) => readSegment(name)?.segment ?? 0)
  const newest = numbers.reduce((a, b) => Math.max(a, b), 0)
  const ranges: Range[] = []
  for (const backup of archive.bases.filter((one) => isOnTimeline(one, timelines))) {
    let last: string | undefined
    let segment = segmentOf(backup.start)
    for (; ; segment++) {
      const name = findSegment(segment, archive)
      if (name === undefined) break
      last = name
    }
    if (last === undefined || segment <= segmentOf(backup.stop)) continue
    const missing = segment < newest ? segmentName(timelines.at(-1)?.id ?? 1, segment) : undefined
    const from = new Date(backup.finished_at)
    const archivedAt = await readArchiveTime(storage, last)
    const to = archivedAt > from ? archivedAt : from
    ranges.push({ base: backup, from, to, ...(missing !== undefined && { missing }) })
  }
  return ranges
}

function isOnTimeline({ timeline, stop }: BaseBackup, timelines: Timeline[]): boolean {
  const listed = timelines.find(({ id }) => id === timeline)
  return listed !== undefined && readPosition(stop) <= (listed.end ?? Infinity)
}

/** At the end of a timeline, its last segment and the first one of its successor have the same number. */
function findSegment(segment: number, { segments, timelines }: Archive): string | undefined {
  let first = 0
  for (const { id, end } of timelines) {
    const last = end === undefined ? Infinity : Math.floor(end / SEGMENT_BYTES)
    const name = segmentName(id, segment)
    if (segment >= first && segment <= last && segments.has(name)) return name
    first = last
  }
  return undefined
}
