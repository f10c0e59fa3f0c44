import path from 'node:path'

export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  file: string
  imports: string[]
  lines: number
}

/** Who may import whom. A part may always import itself; what is not listed is refused. */
const MAY_IMPORT: Record<string, string[]> = {
  contract: [],
  'web/ui': [],
  'web/lib': ['contract'],
  'web/components': ['web/ui', 'web/lib', 'contract'],
  'web/features': ['web/components', 'web/ui', 'web/lib', 'contract'],
  web: ['web/features', 'web/components', 'web/ui', 'web/lib', 'contract'],
  'server/config': [],
  'server/db': ['server/config'],
  'server/http': ['server/db', 'contract'],
  'server/pages': ['server/http', 'contract', 'web'],
  'server/features': ['server/db', 'server/http', 'contract', 'demo'],
  server: ['server/features', 'server/pages', 'server/http', 'server/db', 'server/config', 'contract'],
  demo: ['contract'],
}
/** Server features, lowest first: calls go down, never up. Those of one row may not call each other in a ring. */
const FLOORS = [
  ['audit', 'media', 'members', 'notifications', 'accounts'],
  ['catalogue'],
  ['ratings'],
  ['scripts'],
  ['reputation', 'giveaways', 'showcases', 'reports', 'site'],
  ['admin', 'demo'],
]
const FREE = ['tests', 'scripts', 'bench']
const MAX_LINES = 300

const PARTS = Object.keys(MAY_IMPORT).toSorted((a, b) => b.length - a.length)

function partOf(file: string): string | undefined {
  return PARTS.find((part) => file.startsWith(`${part}/`) || file === `${part}.ts`)
}

const featureOf = (file: string) => /^(web|server)\/features\/([^/]+)\//.exec(file)?.[2]
const floorOf = (feature: string) => FLOORS.findIndex((floor) => floor.includes(feature))
const isTest = (file: string) => /\.test\.tsx?$/.test(file)
/** Where an import leads, or undefined for a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : undefined
}

function checkImport(file: string, target: string): string | undefined {
  const [own, other] = [partOf(file), partOf(target)]
  if (!own || FREE.includes(file.split('/', 1)[0] ?? '')) return undefined
  if (!other) return `${file} imports ${target}, which belongs to no part it may use`
  if (own !== other && !MAY_IMPORT[own]?.includes(other)) return `${own} may not import ${other}: ${file} -> ${target}`
  const [mine, theirs] = [featureOf(file), featureOf(target)]
  if (!mine || !theirs || mine === theirs) return undefined
  if (own === 'web/features') return `a page's feature may not import another: ${file} -> ${target}`
  if (!target.endsWith('/service.ts')) return `only another feature's service may be imported: ${file} -> ${target}`
  if (floorOf(mine) < 0 || floorOf(theirs) < 0) return `${mine} or ${theirs} has no floor: ${file}`
  return floorOf(theirs) > floorOf(mine) ? `calls go down, not up: ${file} -> ${target}` : undefined
}

/** Every breach of the rules, as a sentence that names the file. */
export function findBreaches(files: readonly SourceFile[]): string[] {
  const breaches: string[] = []
  for (const { file, imports, lines } of files) {
    if (lines > MAX_LINES && !file.endsWith('.generated.ts')) breaches.push(`${file} has ${lines} lines`)
    if (isTest(file)) continue
    for (const specifier of imports) {
      const target = resolveImport(file, specifier)
      const breach = target && checkImport(file, target)
      if (breach) breaches.push(breach)
    }
  }
  return breaches
}
