#!/usr/bin/env node
// Prints what scripts do: luau-behavior [--json] [--run] FILE...
import { readFileSync } from 'node:fs'
import { analyze, CAPABILITIES, type Card, mergeRun } from './index.ts'
import { Sandbox } from './sandbox/sandbox.ts'

const USAGE = 'Usage: luau-behavior [--json] [--run] FILE...'
const WORDS = { code: 'seen in the code', likely: 'likely', run: 'seen when run' }

const args = process.argv.slice(2)
const files = args.filter((arg) => !arg.startsWith('-'))
const isJson = args.includes('--json')
const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--json' && arg !== '--run')
if (unknown !== undefined || files.length === 0) {
  console.error(unknown === undefined ? USAGE : `Unknown option ${unknown}. ${USAGE}`)
  process.exit(2)
}

function describe(file: string, card: Card): string {
  const findings = card.capabilities.flatMap(({ id, certainty, evidence, count }) => [
    `  ${CAPABILITIES[id]} (${id}, ${WORDS[certainty]})`,
    ...evidence.map(({ line, detail }) => `    line ${line}: ${detail}`),
    ...(count > evidence.length ? [`    and ${count - evidence.length} more`] : []),
  ])
  const hosts = card.hosts.map(
    ({ host, line, contacted }) => `    ${host} (line ${line}${contacted ? '' : ', only named'})`,
  )
  const opaque = card.opaque.map(({ reason, count }) => `    ${reason}${count > 1 ? ` (${count} times)` : ''}`)
  return [
    file,
    ...(findings.length > 0
      ? findings
      : [opaque.length > 0 ? '  Nothing found in what was analyzed' : '  Nothing found']),
    ...(hosts.length > 0 ? ['  Hosts', ...hosts] : []),
    ...(opaque.length > 0 ? ['  Not analyzed', ...opaque] : []),
  ].join('\n')
}

const sandbox = args.includes('--run') ? new Sandbox() : undefined

for (const file of files) {
  try {
    const code = readFileSync(file, 'utf8')
    const read = analyze(code)
    const card = sandbox ? mergeRun(read, await sandbox.run(code)) : read
    console.log(isJson ? JSON.stringify({ file, ...card }) : describe(file, card))
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

await sandbox?.close()
