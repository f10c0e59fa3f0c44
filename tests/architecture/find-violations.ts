export interface Module {
  file: string
  imports: string[]
}

/** Imports allowed for some files; the first match applies. `$1` is the first group of `files`. */
export interface Layout {
  files: RegExp
  /** Patterns of project files. */
  mayImport: string[]
  /** Package names or their prefixes. Every package is allowed if absent. */
  packages?: string[]
}

const PROJECT_FILE = /^(contract|packages|server|web|demo|scripts|tests|lab|dist)\//

/** Describes each import that `layouts` does not allow. */
export function findViolations(modules: Module[], layouts: Layout[]): string[] {
  return modules.flatMap(({ file, imports }) => {
    const layout = layouts.find(({ files }) => files.test(file))
    if (!layout) return [`${file} has no entry in the table`]
    return imports.filter((target) => !isAllowed(file, target, layout)).map((target) => `${file} imports ${target}`)
  })
}

function isAllowed(file: string, target: string, { files, mayImport, packages }: Layout): boolean {
  if (!PROJECT_FILE.test(target))
    return !packages || packages.some((name) => target === name || target.startsWith(`${name}/`))
  const own = files.exec(file)?.[1] ?? ''
  return mayImport.some((pattern) => new RegExp(`^${pattern.replace('$1', own)}`).test(target))
}

const FEATURE = /^server\/features\/([^/]+)\//

/** Maps each server feature to the features that it imports. */
export function buildFeatureGraph(modules: Module[]): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const { file, imports } of modules) {
    const from = FEATURE.exec(file)?.[1]
    if (!from) continue
    const others = graph.get(from) ?? new Set()
    for (const target of imports) {
      const to = FEATURE.exec(target)?.[1]
      if (to && to !== from) others.add(to)
    }
    graph.set(from, others)
  }
  return graph
}

/** Maps each file to all that it imports. */
export const buildImportGraph = (modules: Module[]): Map<string, Set<string>> =>
  new Map(modules.map(({ file, imports }) => [file, new Set(imports)]))

/** The first cycle of features or files as a path; empty if there is none. */
export function findCycle(graph: Map<string, Set<string>>): string[] {
  const done = new Set<string>()
  const walk = (node: string, path: string[]): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return []
    for (const next of graph.get(node) ?? []) {
      const cycle = walk(next, [...path, node])
      if (cycle.length > 0) return cycle
    }
    done.add(node)
    return []
  }
  for (const node of graph.keys()) {
    const cycle = walk(node, [])
    if (cycle.length > 0) return cycle
  }
  return []
}
