import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/schema'
import { UserFacingError } from '#server/platform/config/values.ts'
import { readHash } from '#server/platform/media/store.ts'

export class BackupError extends UserFacingError {
  override name = 'BackupError'
}

export const MANIFEST = 'backup.json'
export const TABLES = 'tables'
export const MEDIA = 'media'
/** SHA-256 and path of each image, in the format of `sha256sum`. */
export const MEDIA_LIST = 'media.sha256'
export const KEY_FILE = 'secret-key'
/** Changes when a former version would misread a backup. */
const FORMAT_VERSION = 1
const FORMAT = { format: 'scriptyard-backup', format_version: FORMAT_VERSION } as const

const Sum = { bytes: Type.Integer(), sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }

const Contents = Type.Object({
  /** Time of the database state in the backup. */
  taken_at: Type.String(),
  scriptyard_version: Type.String(),
  postgres_version: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
  tables: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z0-9_]+$' }),
      columns: Type.Array(Type.String()),
      rows: Type.Integer(),
      content: Type.Object(Sum),
      file: Type.Object(Sum),
    }),
  ),
  sequences: Type.Array(
    Type.Object({ name: Type.String(), last_value: Type.String({ pattern: '^-?\\d+$' }), is_called: Type.Boolean() }),
  ),
  media: Type.Object({ files: Type.Integer(), bytes: Type.Integer(), list: Type.Object(Sum) }),
  /** Of the key file; null if the backup has none. */
  secret_key: Type.Union([Type.Null(), Type.Object(Sum)]),
})

export type BackupContents = Static<typeof Contents>
export type BackupTable = BackupContents['tables'][number]

const contents = Compile(Contents)

export function toManifest(values: BackupContents): string {
  const manifest = { ...FORMAT, ...values }
  return `${JSON.stringify({ ...manifest, sha256: sha256Of(JSON.stringify(manifest)) }, null, 2)}\n`
}

/** Reads and checks the manifest of the backup in a folder. Throws BackupError. */
export async function readManifest(folder: string): Promise<BackupContents> {
  const text = await readFile(path.join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new BackupError(`There is no backup in ${folder}: ${MANIFEST} is missing.`)
  })
  const { sha256, ...manifest } = parseJson(text)
  // Checked before the rest, which another format may have changed.
  if (manifest['format'] !== FORMAT.format) throw new BackupError(`${MANIFEST} is not the manifest of a backup.`)
  const version = Number(manifest['format_version'])
  if (version > FORMAT_VERSION) {
    throw new BackupError(
      `The backup has format ${version}, and this version of Scriptyard reads up to ${FORMAT_VERSION}. Update Scriptyard and try again.`,
    )
  }
  if (sha256 !== sha256Of(JSON.stringify(manifest)) || !contents.Check(manifest)) throw damagedError(MANIFEST)
  return manifest
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Not JSON.
  }
  throw damagedError(MANIFEST)
}

const sha256Of = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

export const damagedError = (name: string) =>
  new BackupError(`${name} of the backup is damaged or was changed. Use another backup.`)

export const tableFile = (name: string): string => path.join(TABLES, `${name}.copy.gz`)

/** Reads every file of a backup and compares it with its checksum. Throws BackupError. */
export async function checkFiles(folder: string, manifest: BackupContents): Promise<void> {
  for (const { name, file } of manifest.tables) await checkFile(folder, tableFile(name), file)
  if (manifest.secret_key) await checkFile(folder, KEY_FILE, manifest.secret_key)
  await checkFile(folder, MEDIA_LIST, manifest.media.list)
  let files = 0
  for await (const image of readImageList(folder)) {
    await readImage(folder, image)
    files++
  }
  if (files !== manifest.media.files) throw damagedError(MEDIA_LIST)
}

async function checkFile(folder: string, name: string, expected: { bytes: number; sha256: string }): Promise<void> {
  const file = path.join(folder, name)
  const size = await stat(file).then(
    (found) => found.size,
    () => undefined,
  )
  if (size === undefined) throw new BackupError(`The backup is not complete: ${name} is missing.`)
  if (size !== expected.bytes) {
    throw new BackupError(`${name} of the backup has ${size} bytes instead of ${expected.bytes}. Use another backup.`)
  }
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  if (hash.digest('hex') !== expected.sha256) throw damagedError(name)
}

interface ListedImage {
  name: string
  sha256: string
}

/** Path of an image in a backup, as `openFileStore` stores it. */
const imageFile = (name: string) => `${MEDIA}/${name.slice(0, 2)}/${name}`

export const toListLine = ({ name, sha256 }: ListedImage): string => `${sha256}  ${imageFile(name)}\n`

/** The images of a backup. Throws BackupError. */
export async function* readImageList(folder: string): AsyncGenerator<ListedImage> {
  for await (const line of createInterface({ input: createReadStream(path.join(folder, MEDIA_LIST)) })) {
    const [sha256 = '', file = ''] = line.split('  ')
    const name = path.posix.basename(file)
    if (readHash(name) === undefined || file !== imageFile(name)) throw damagedError(MEDIA_LIST)
    yield { name, sha256 }
  }
}

/** The bytes of an image in a backup. Throws BackupError. */
export async function readImage(folder: string, { name, sha256 }: ListedImage): Promise<Buffer> {
  const bytes = await readFile(path.join(folder, imageFile(name))).catch(() => undefined)
  if (!bytes) throw new BackupError(`The backup is not complete: ${imageFile(name)} is missing.`)
  if (sha256Of(bytes) !== sha256) throw damagedError(imageFile(name))
  return bytes
}
