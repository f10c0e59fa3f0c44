import { decodeCode } from '@scriptyard/text'
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import path from 'node:path'
import Type, { type Static } from 'typebox'
import { MAX_CODE_BYTES } from '#contract/limits.ts'
import { NewScript } from '#contract/script-input.ts'
import { UserFacingError } from '#server/platform/config/values.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { bodyReader } from '#server/platform/http/validation.ts'

/** Properties of scripts in a folder: `{ "defaults": {...}, "scripts": [{ "file": "a/b.luau", "title": ... }] }`. */
const PROPERTIES_FILE = 'scriptyard.json'
const MAX_PROPERTIES_BYTES = 4 * 1024 * 1024
const MAX_FILES = 10_000
const EXTENSION = /\.luau?$/i

const { script_content: _code, image: _image, ...fields } = NewScript.properties
const Metadata = Type.Partial(Type.Object(fields), { additionalProperties: false })
export type Metadata = Static<typeof Metadata>

const FolderProperties = Type.Object(
  {
    defaults: Type.Optional(Metadata),
    scripts: Type.Optional(
      Type.Array(
        Type.Object(
          { ...Metadata.properties, file: Type.String({ maxLength: 1000 }) },
          { additionalProperties: false },
        ),
        { maxItems: MAX_FILES },
      ),
    ),
  },
  { additionalProperties: false },
)

const readMetadata = bodyReader(Metadata)
const readProperties = bodyReader(FolderProperties)

export interface SourceFile {
  /** Path below the folder, with `/`. */
  file: string
  content: string
  metadata: Metadata
  /** The text of the comments at the start of the file. */
  comment: string
  /** A sentence for the operator. */
  problem?: string
}

/** Reads in the order of the paths, without hidden files. Follows no symbolic links. Throws UserFacingError. */
export async function readFolder(folder: string): Promise<SourceFile[]> {
  const { defaults = {}, scripts = [] } = await readPropertiesFile(folder)
  const own = new Map<string, Metadata>()
  for (const { file, ...metadata } of scripts) own.set(requireInside(file), metadata)
  const isLinkByFile = await listFiles(folder)
  for (const file of own.keys()) {
    if (!isLinkByFile.has(file))
      throw new UserFacingError(`${PROPERTIES_FILE} names ${file}, which is not in the folder.`)
  }
  const files: SourceFile[] = []
  for (const [file, isLink] of [...isLinkByFile].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const empty = { file, content: '', metadata: {}, comment: '' }
    if (isLink) files.push({ ...empty, problem: 'Symbolic links are not followed.' })
    else files.push(await readSource(folder, file, { ...defaults, ...own.get(file) }, own.get(file)))
  }
  return files
}

/** The normalized path of a file below the folder. Throws UserFacingError for any other path. */
function requireInside(file: string): string {
  const parts = file.replaceAll('\\', '/').split('/')
  if (path.isAbsolute(file) || /^[a-z]:/i.test(file) || parts.includes('..')) {
    throw new UserFacingError(`${PROPERTIES_FILE} names ${file}, which is outside of the folder.`)
  }
  return parts.filter((part) => part !== '' && part !== '.').join('/')
}

async function readPropertiesFile(folder: string): Promise<Static<typeof FolderProperties>> {
  const bytes = await readBytes(path.join(folder, PROPERTIES_FILE), MAX_PROPERTIES_BYTES).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UserFacingError(`${PROPERTIES_FILE} cannot be read.`, { cause: error })
  })
  if (!bytes) return {}
  try {
    return readProperties(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    const reason = error instanceof AppError ? error.message : 'It is not valid JSON.'
    throw new UserFacingError(`${PROPERTIES_FILE}: ${reason}`, { cause: error })
  }
}

/** Script files below a folder by path, and whether each is a symbolic link. */
async function listFiles(folder: string): Promise<Map<string, boolean>> {
  const isLinkByFile = new Map<string, boolean>()
  const walk = async (below: string): Promise<void> => {
    const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
      throw new UserFacingError(`The folder ${path.join(folder, below)} cannot be read.`, { cause: error })
    })
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue
      const file = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) await walk(file)
      else if (entry.isSymbolicLink() || (entry.isFile() && EXTENSION.test(entry.name))) {
        isLinkByFile.set(file, entry.isSymbolicLink())
      }
      if (isLinkByFile.size > MAX_FILES) throw new UserFacingError(`The folder has more than ${MAX_FILES} scripts.`)
    }
  }
  await walk('')
  return isLinkByFile
}

class TooLargeError extends Error {}

/** Reads a file that is not a symbolic link. Throws TooLargeError before reading one that is too large. */
async function readBytes(file: string, maxBytes: number): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await handle.stat()
    if (size > maxBytes) throw new TooLargeError()
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

async function readSource(
  folder: string,
  file: string,
  metadata: Metadata,
  own: Metadata | undefined,
): Promise<SourceFile> {
  try {
    const content = decodeCode(await readBytes(path.join(folder, file), MAX_CODE_BYTES))
    const { values, comment } = readHeader(content)
    // In the order of their precedence: the file's entry in the property file, its own comments, the defaults.
    return { file, content, metadata: { ...metadata, ...readMetadata(values), ...own }, comment }
  } catch (error) {
    return { file, content: '', metadata, comment: '', problem: describeProblem(error) }
  }
}

function describeProblem(error: unknown): string {
  if (error instanceof TooLargeError) return `The file has more than ${MAX_CODE_BYTES.toLocaleString('en')} bytes.`
  if (error instanceof TypeError) return 'The file is not UTF-8 text.'
  if (error instanceof AppError) return error.message
  return `The file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}).`
}

const LISTS = new Set(['tags', 'declared_capabilities', 'declared_hosts'])
const BLOCK = /^--\[(=*)\[([\s\S]*?)\]\1\]/

/** The comments at the start of a file: `@name value` lines for known properties, and the other text. */
function readHeader(content: string): { values: Record<string, unknown>; comment: string } {
  const values: Record<string, unknown> = {}
  const text: string[] = []
  for (const line of headerLines(content)) {
    const [, name = '', value = ''] = /^@(\w+)(?:\s+(.*))?$/.exec(line) ?? []
    if (!name) text.push(line)
    else if (Object.hasOwn(fields, name)) values[name] = readValue(name, value.trim())
  }
  return { values, comment: text.join('\n').trim() }
}

function headerLines(content: string): string[] {
  const start = content.trimStart()
  const block = BLOCK.exec(start)
  if (block) return (block[2] ?? '').split(/\r?\n/).map((line) => line.trim())
  const lines: string[] = []
  for (const line of start.split(/\r?\n/)) {
    if (!line.startsWith('--') || line.startsWith('--!')) {
      if (line.startsWith('--!') && lines.length === 0) continue
      break
    }
    lines.push(line.replace(/^-+\s?/, '').trim())
  }
  return lines
}

function readValue(name: string, value: string): unknown {
  if (LISTS.has(name))
    return value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)
  return value === 'true' ? true : value === 'false' ? false : value
}
