import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

export interface Source {
  /** Path from the project's root, with `/` as separator. */
  file: string
  /** Imported modules: project files as paths like `file`, packages by name. */
  imports: string[]
  lines: number
  text: string
}

/** The scope of the packages in `packages/`, each imported by its name. */
const WORKSPACES = '@scriptyard/'

const root = path.resolve(import.meta.dirname, '../..')

export function readSources(folders: readonly string[]): Source[] {
  return folders.flatMap((folder) => listFiles(folder)).map((file) => readSource(file))
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
}

function readSource(file: string): Source {
  const text = readFileSync(path.join(root, file), 'utf8')
  return { file, imports: readImports(file, text), lines: text.trimEnd().split('\n').length, text }
}

/** Imports of a file of any kind: static, re-exported, lazy, type-only. */
export function readImports(file: string, text: string): string[] {
  const { module, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const named = [
    ...module.staticImports.map((found) => found.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value ?? '')),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => readLiteral(text.slice(start, end))),
  ]
  return [...new Set(named)].filter((specifier) => specifier !== '').map((specifier) => resolve(file, specifier))
}

// Lazy imports of computed names cannot be resolved; there are none.
function readLiteral(expression: string): string {
  return /^(['"`])([^$]*)\1$/s.exec(expression)?.[2] ?? ''
}

function resolve(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  if (specifier.startsWith(WORKSPACES)) return findExport(specifier.slice(WORKSPACES.length))
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier
}

/** The file that a package exports under a name such as `catalogue-index` or `luau-behavior/sandbox`. */
function findExport(specifier: string): string {
  const [name = '', ...rest] = specifier.split('/')
  const folder = `packages/${name}`
  const { exports } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string>
  }
  return path.posix.join(folder, exports[['.', ...rest].join('/')] ?? 'no such export')
}
