import { describe, expect, test } from 'vitest'
import type { Behavior } from '#contract/behavior.ts'
import type { CapabilityId } from '#contract/behavior-names.ts'
import {
  declare,
  findNotFound,
  describeGaps,
  findSecrets,
  findUndeclared,
  followCheck,
  hasNothingToDeclare,
  withdraw,
} from './declaration.ts'
import { findSerious } from './serious-findings.ts'

type Found = Partial<Record<CapabilityId, number[]>>

function behaviorOf(found: Found, hosts: Record<string, number> = {}): Behavior {
  return {
    status: 'ready',
    analyzer_version: 1,
    is_outdated: false,
    analyzed_at: null,
    sha256: '',
    version: '',
    compiles: null,
    compile_error: null,
    capabilities: Object.entries(found).map(([id, lines]) => ({
      id: id as CapabilityId,
      certainty: 'code',
      declared: 'not_asked',
      evidence: lines.map((line) => ({ line, end_line: line, excerpt: '', detail: `detail ${line}` })),
      count: lines.length,
    })),
    hosts: Object.entries(hosts).map(([host, line]) => ({ host, line, declared: 'not_asked', kind: null })),
    obfuscator: null,
    opaque: [],
    declared_not_found: [],
  }
}

const UNANSWERED = { declared_capabilities: null, declared_hosts: '' }
const NOTHING = { declared_capabilities: [], declared_hosts: '' }
const WEBHOOK = behaviorOf(
  { 'net.send': [12], 'net.webhook': [12], 'net.exfiltration': [12], 'needs.executor': [12] },
  { 'discord.com': 12 },
)

describe('followCheck', () => {
  test('fills in an answer that was not given yet', () => {
    expect(followCheck(UNANSWERED, undefined, WEBHOOK).declaration).toEqual({
      declared_capabilities: ['net.exfiltration', 'net.send', 'net.webhook'],
      declared_hosts: 'discord.com',
    })
  })

  test('leaves a restored answer as it is', () => {
    expect(followCheck(NOTHING, undefined, WEBHOOK).declaration).toEqual(NOTHING)
  })

  test('keeps what the author corrected while the code changes', () => {
    const filledIn = followCheck(UNANSWERED, undefined, WEBHOOK)
    const corrected = declare(withdraw(filledIn.declaration, ['net.webhook'], []), ['user.key'], ['mine.example'])
    const now = behaviorOf({ 'net.send': [1], 'net.webhook': [1], 'fs.write': [2] }, { 'discord.com': 1 })
    expect(followCheck(corrected, filledIn, now).declaration).toEqual({
      declared_capabilities: ['fs.write', 'net.send', 'user.key'],
      declared_hosts: 'discord.com, mine.example',
    })
  })

  test('does not fill in again what the author took out', () => {
    const filledIn = followCheck(UNANSWERED, undefined, WEBHOOK)
    const corrected = withdraw(filledIn.declaration, ['net.webhook'], ['discord.com'])
    const broken = followCheck(corrected, filledIn, behaviorOf({}))
    expect(followCheck(broken.declaration, broken, WEBHOOK).declaration).toEqual({
      declared_capabilities: ['net.exfiltration', 'net.send'],
      declared_hosts: '',
    })
    const restored = followCheck(NOTHING, undefined, WEBHOOK)
    const brokenAgain = followCheck(restored.declaration, restored, behaviorOf({}))
    expect(followCheck(brokenAgain.declaration, brokenAgain, WEBHOOK).declaration).toEqual(NOTHING)
  })
})

describe('findUndeclared', () => {
  test('says once for each line what it does', () => {
    expect(findUndeclared(NOTHING, WEBHOOK)).toEqual([
      {
        line: 12,
        ids: ['net.send', 'net.webhook', 'net.exfiltration'],
        hosts: ['discord.com'],
        text: 'sends data about the player to discord.com',
      },
    ])
  })

  test('finds servers that are not declared', () => {
    const behavior = behaviorOf({ 'net.get': [3] }, { 'a.example': 3, 'b.example': 5 })
    const declared = { declared_capabilities: ['net.get'], declared_hosts: 'A.example' }
    expect(findUndeclared(declared, behavior)).toEqual([
      { line: 5, ids: [], hosts: ['b.example'], text: 'contacts b.example' },
    ])
  })

  test('finds nothing if everything is declared', () => {
    expect(findUndeclared(followCheck(UNANSWERED, undefined, WEBHOOK).declaration, WEBHOOK)).toEqual([])
  })
})

test('findNotFound returns capabilities that are declared but were not found', () => {
  expect(findNotFound({ declared_capabilities: ['fs.write', 'net.send'], declared_hosts: '' }, WEBHOOK)).toEqual([
    'fs.write',
  ])
})

test('findSecrets names each secret with its line', () => {
  expect(findSecrets(behaviorOf({ 'shape.secret': [3] }))).toEqual([{ line: 3, name: 'detail 3' }])
  expect(findSecrets(undefined)).toEqual([])
})

test('hasNothingToDeclare ignores capabilities that authors are not asked about', () => {
  expect(hasNothingToDeclare(NOTHING, behaviorOf({ 'game.remote': [1], 'shape.secret': [2] }))).toBe(true)
  expect(hasNothingToDeclare(NOTHING, behaviorOf({ 'fs.write': [1] }))).toBe(false)
  expect(hasNothingToDeclare({ ...NOTHING, declared_capabilities: ['fs.write'] }, behaviorOf({}))).toBe(false)
})

test('describeGaps says why the answers may be incomplete', () => {
  const behavior = behaviorOf({})
  expect(describeGaps({ ...behavior, compiles: true })).toBeUndefined()
  expect(describeGaps({ ...behavior, compiles: false })).toMatch(/^Your code doesn't compile, so these answers may be/)
  const opaque = [{ reason: 'The script is too large to be followed completely', count: 1 }]
  expect(describeGaps({ ...behavior, opaque })).toMatch(/^We couldn't follow all of your code/)
  const chosen = [{ reason: 'A function that is chosen while the script runs', count: 1 }]
  expect(describeGaps({ ...behavior, opaque: chosen })).toMatch(/^We couldn't follow all of your code/)
  const download = [{ reason: 'What the code does that it downloads', count: 1 }]
  expect(describeGaps({ ...behavior, opaque: download })).toBeUndefined()
})

test('a host that is only named need not be declared', () => {
  const behavior = behaviorOf({})
  const hosts = [{ host: 'a.com', line: 1, contacted: false, declared: 'undeclared' as const, kind: null }]
  const declaration = { declared_capabilities: [], declared_hosts: '' }
  expect(findUndeclared(declaration, { ...behavior, hosts })).toEqual([])
  expect(hasNothingToDeclare(declaration, { ...behavior, hosts })).toBe(true)
})

describe('serious findings', () => {
  const behavior = behaviorOf({ 'fs.write': [1], 'net.webhook': [9], 'fs.delete': [4] }, { 'discord.com': 9 })

  test('are named with line and service until they are known', () => {
    expect(findSerious(behavior, [])).toEqual([
      { id: 'net.webhook', text: 'send messages to a Discord webhook', line: 9 },
      { id: 'fs.delete', text: 'delete files', line: 4 },
    ])
    expect(findSerious(behavior, ['net.webhook', 'fs.delete'])).toEqual([])
    expect(findSerious(undefined, [])).toEqual([])
  })

  test('that are declared were found, although nobody is asked about them', () => {
    expect(
      findNotFound(declare({ declared_capabilities: [], declared_hosts: '' }, ['fs.delete'], []), behavior),
    ).toEqual([])
  })
})
