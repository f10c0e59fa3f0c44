export interface Module {
  file: string
  imports: string[]
}

/** What the files of one place may import, first match first. `$1` stands for what the place's own brackets found. */
export interface Place {
  files: RegExp
  /** Of ours. */
  mayImport: string[]
  /** Packages by the beginnings of their names; absent: any. */
  packages?: string[]
}

const OURS = /^(contract|packages|server|web|demo|scripts|tests|bench|dist)\//

/** Every import that the table does not allow, as a sentence. */
export function findViolations(modules: Module[], places: Place[]): string[] {
  return modules.flatMap(({ file, imports }) => {
    const place = places.find(({ files }) => files.test(file))
    if (!place) return [`${file} has no place in the table`]
    return imports.filter((target) => !isAllowed(file, target, place)).map((target) => `${file} imports ${target}`)
  })
}

function isAllowed(file: string, target: string, { files, mayImport, packages }: Place): boolean {
  if (!OURS.test(target)) return !packages || packages.some((name) => target === name || target.startsWith(`${name}/`))
  const own = files.exec(file)?.[1] ?? ''
  return mayImport.some((pattern) => new RegExp(`^${pattern.replace('$1', own)}`).test(target))
}

const FEATURE = /^server\/features\/([^/]+)\//

/** Which server feature calls which others. */
export function drawFeatureGraph(modules: Module[]): Map<string, Set<string>> {
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

/** Features without a floor, and calls from a lower floor to a higher one. */
export function findClimbs(graph: Map<string, Set<string>>, floors: string[][]): string[] {
  const floorOf = (feature: string) => floors.findIndex((floor) => floor.includes(feature))
  const homeless = [...graph.keys()].filter((feature) => floorOf(feature) < 0)
  const climbs = [...graph].flatMap(([from, others]) =>
    [...others].filter((to) => floorOf(to) > floorOf(from)).map((to) => `${from} calls up to ${to}`),
  )
  return [...homeless.map((feature) => `${feature} stands on no floor`), ...climbs]
}

/** The first circle of features, as the way around it; empty when there is none. */
export function findCircle(graph: Map<string, Set<string>>): string[] {
  const done = new Set<string>()
  const walk = (feature: string, way: string[]): string[] => {
    if (way.includes(feature)) return [...way.slice(way.indexOf(feature)), feature]
    if (done.has(feature)) return []
    for (const next of graph.get(feature) ?? []) {
      const circle = walk(next, [...way, feature])
      if (circle.length > 0) return circle
    }
    done.add(feature)
    return []
  }
  for (const feature of graph.keys()) {
    const circle = walk(feature, [])
    if (circle.length > 0) return circle
  }
  return []
}
