import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '#server/platform/db/database.ts'
import { addImage, type MediaLibrary, touchImage } from '#server/platform/media/upload.ts'

const folder = path.resolve(import.meta.dirname, '../../../demo/images')

const SIZES = {
  avatars: { width: 256, height: 256 },
  banners: { width: 1280, height: 427 },
  covers: { width: 1280, height: 720 },
  screenshots: { width: 1280, height: 720 },
}

/** Stores an image of the demo data, whose full and card size are files, and returns its hash. */
export async function storeDemoImage(
  db: Database,
  { store }: MediaLibrary,
  kind: keyof typeof SIZES,
  name: string,
): Promise<string> {
  const read = (size: string) => readFile(path.join(folder, kind, `${name}${size}.webp`))
  const [full, card] = [await read(''), await read('-card')]
  const hash = createHash('sha256').update(full).digest('hex')
  if (!(await touchImage(db, store, hash))) await addImage(db, store, hash, { full, card, ...SIZES[kind] })
  return hash
}
