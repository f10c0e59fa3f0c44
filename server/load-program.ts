import { existsSync, globSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** In server/operations/processes. */
export const PROGRAMS = ['primary-process', 'worker-process'] as const
type Program = (typeof PROGRAMS)[number]

const root = path.resolve(import.meta.dirname, '..')
const PATTERNS = ['package{,-lock}.json', 'scripts/build-server.ts', 'contract', 'server', 'packages/*/src']

/** Paths of the files and folders that the bundles are built from. */
export const findSources = (folder = root): string[] => globSync(PATTERNS, { cwd: folder }).toSorted()

/**
 * Runs a program: in production from the bundle that `npm run build` makes, which starts in half the time, and otherwise
 * from its sources.
 */
export async function loadProgram(program: Program): Promise<void> {
  await import(pathToFileURL(findProgram(program)).href)
}

/** The file to run. A bundle that is older than a source is not used. */
export function findProgram(program: Program, { folder = root, environment = process.env['NODE_ENV'] } = {}): string {
  const bundle = bundleOf(program, folder)
  return environment === 'production' && isUpToDate(bundle, folder) ? bundle : findSource(program, folder)
}

export const findSource = (program: Program, folder = root): string =>
  path.join(folder, `server/operations/processes/${program}.ts`)

export const bundleOf = (program: Program, folder = root): string => path.join(folder, `dist/processes/${program}.js`)

/** Whether a bundle exists and no source has changed since. */
export function isUpToDate(bundle: string, folder = root): boolean {
  if (!existsSync(bundle)) return false
  const { mtimeMs: builtAt } = statSync(bundle)
  return !findSources(folder).some((name) => hasNewerFile(path.join(folder, name), builtAt))
}

function hasNewerFile(source: string, than: number): boolean {
  const stats = statSync(source)
  if (stats.mtimeMs > than || !stats.isDirectory()) return stats.mtimeMs > than
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' })
  return names.some((name) => !name.endsWith('.test.ts') && statSync(path.join(source, name)).mtimeMs > than)
}
