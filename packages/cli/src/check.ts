import { analyze, CAPABILITIES, type Card } from '@scriptyard/luau-behavior'
import { compile, type CompileResult } from '@scriptyard/luau-behavior/compile'
import { readLuauCompiler } from '@scriptyard/luau-behavior/wasm'

export interface CheckResult {
  /** Null if the compiler cannot say. */
  compiles: CompileResult['compiles']
  error: CompileResult['error']
  card: Card
  /** Capabilities and hosts that the code has and the manifest does not declare. Empty if it declares nothing. */
  undeclared: { capabilities: string[]; hosts: string[] }
}

const WORDS = { code: 'seen in the code', likely: 'likely', run: 'seen when run' }

/** What the site would find: whether the code compiles, and what it does. Reads the code without running it, offline. */
export function check(code: string, declared: { capabilities?: unknown; hosts?: unknown }): CheckResult {
  const { compiles, error } = compile(new WebAssembly.Module(readLuauCompiler()), code)
  const card = analyze(code)
  return {
    compiles,
    error,
    card,
    undeclared: {
      capabilities: missing(
        card.capabilities.map(({ id }) => id),
        declared.capabilities,
      ),
      hosts: missing(
        card.hosts.filter(({ contacted }) => contacted).map(({ host }) => host),
        declared.hosts,
      ),
    },
  }
}

const missing = (names: string[], list: unknown): string[] =>
  Array.isArray(list) ? names.filter((name) => !list.includes(name)) : []

export function describeCheck(file: string, { compiles, error, card, undeclared }: CheckResult): string {
  const compiled = error
    ? `does not compile: line ${error.line}: ${error.message}`
    : compiles
      ? 'compiles'
      : 'could not be compiled here'
  const findings = card.capabilities.flatMap(({ id, certainty, evidence }) => [
    `  ${CAPABILITIES[id]} (${id}, ${WORDS[certainty]})`,
    ...evidence.map(({ line, detail }) => `    line ${line}: ${detail}`),
  ])
  const hosts = card.hosts.map(
    ({ host, line, contacted }) => `    ${host} (line ${line}${contacted ? '' : ', only named'})`,
  )
  const opaque = card.opaque.map(({ reason, count }) => `    ${reason}${count > 1 ? ` (${count} places)` : ''}`)
  const isComplete = compiles === true && opaque.length === 0
  const nothing = isComplete
    ? '  Nothing found that needs a declaration.'
    : '  Nothing found in what could be followed.'
  const open = [...undeclared.capabilities, ...undeclared.hosts]
  return [
    `${file} ${compiled}.`,
    ...(findings.length > 0 ? findings : [nothing]),
    ...(hosts.length > 0 ? ['  Hosts', ...hosts] : []),
    ...(opaque.length > 0 ? ['  Not checked', ...opaque] : []),
    ...(open.length > 0 ? [`  Not declared in scriptyard.json: ${open.join(', ')}`] : []),
  ].join('\n')
}
