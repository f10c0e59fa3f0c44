// Turns what the prelude says into findings. Every field comes from a script and is checked and bounded here.
import { CAPABILITIES, type CapabilityId, STOPPED } from '../capabilities.ts'
import { Findings, shorten, type Site } from '../findings.ts'
import { describeWebhook, findHosts, isIpService } from '../hosts.ts'
import { ORIGIN } from '../origins.ts'
import type { RunResult } from './results.ts'

/** One run: its events, as fields of Latin-1 text, and how it ended. */
export interface VmRun {
  events: string[][]
  outcome: 'ended' | 'time' | 'memory' | 'events' | 'crash'
  compileError: { line: number; message: string } | null
}

/** The kind of the event that says that a script has run: what follows only tells which functions it needs. */
export const PASSED = 'passed'
const MAX_FIELD = 4000
const MAX_OPAQUE = 20
const OPAQUE_SENTENCE = /^[A-Z][a-z ]{5,80}$/

const isCapability = (id: string): id is CapabilityId => Object.hasOwn(CAPABILITIES, id)
const originsOf = (names: string): number =>
  names
    .split(' ')
    .reduce((bits, name) => bits | (Object.hasOwn(ORIGIN, name) ? ORIGIN[name as keyof typeof ORIGIN] : 0), 0)

/** Describes a run with the functions of executors and, if there was one, a run without them. */
export function describeRuns(code: string, ...runs: (VmRun | undefined)[]): RunResult {
  const findings = new Findings(code)
  const lineCount = code.split('\n').length
  for (const { events, outcome, compileError } of runs.filter((run) => run !== undefined)) {
    for (const fields of events) record(findings, fields.map(toText), lineCount)
    if (compileError !== null) findings.addOpaque(STOPPED.compile)
    else if (outcome !== 'ended' && !events.some(([kind]) => kind === PASSED) && !findings.opaque.has(STOPPED[outcome]))
      findings.addOpaque(STOPPED[outcome])
  }
  findings.conclude()
  return {
    capabilities: findings.list().map((finding) => ({ ...finding, certainty: 'run' })),
    hosts: findings.listHosts(),
    opaque: [...findings.opaque].slice(0, MAX_OPAQUE).map(([reason, count]) => ({ reason, count })),
  }
}

const toText = (field: string): string => Buffer.from(field.slice(0, MAX_FIELD), 'latin1').toString('utf8')

/** An event is a kind, a line, and texts. The kind of most is the id of a capability. */
function record(findings: Findings, [kind = '', lineText = '', ...texts]: string[], lineCount: number): void {
  const number = Number(lineText)
  const line = Number.isInteger(number) ? Math.min(Math.max(number, 1), lineCount) : 1
  const site: Site = { line, endLine: line }
  const [name = '', text = '', origins = '', more = ''] = texts
  if (kind === 'text') {
    findings.recordText(name, line)
    findings.recordArgument(name, line)
    findings.recordProperty('Text', name, line)
  } else if (kind === 'opaque') {
    if (OPAQUE_SENTENCE.test(name)) findings.addOpaque(name)
  } else if (kind === 'needs') {
    findings.add('needs.executor', 'run', site, name)
  } else if (kind === 'net.socket.send') {
    findings.addPlayerData(originsOf(origins), 'run', site, name)
  } else if (isCapability(kind)) {
    findings.add(
      kind,
      'run',
      site,
      kind === 'code.remote' ? `${name}: ${text}` : `${name} ${shorten(text, 120)}`.trim(),
    )
    if (kind.startsWith('net.')) recordRequest(findings, { name, url: text, origins, body: more }, site)
    else findings.addHosts(text, line)
  }
}

function recordRequest(
  findings: Findings,
  { name, url, origins, body }: { name: string; url: string; origins: string; body: string },
  site: Site,
): void {
  findings.addHosts(url, site.line, true)
  findings.addPlayerData(originsOf(origins), 'run', site, name)
  const webhook = describeWebhook(url)
  if (webhook) findings.add('net.webhook', 'run', site, `${name} to ${webhook}: ${shorten(url, 120)}`)
  if (findHosts(url).some(isIpService)) findings.add('user.identity', 'run', site, `${name} ${shorten(url, 120)}`)
  for (const text of [url, body]) findings.recordSecrets(text, site.line, 'run')
}
