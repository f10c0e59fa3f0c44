// Nothing is dropped silently: what a script does is found, or the card says that something could not be followed.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { analyze, type CapabilityId } from '../src/index.ts'
import { generateScripts } from './generated-scripts.ts'

const SEED = 20_261
const SCRIPTS = 3500

const idsOf = (code: string): CapabilityId[] => analyze(code).capabilities.map(({ id }) => id)
const reasonsOf = (code: string): string[] => analyze(code).opaque.map(({ reason }) => reason)
const hostsOf = (code: string, isContacted = true): string[] =>
  analyze(code)
    .hosts.filter(({ contacted }) => contacted === isContacted)
    .map(({ host }) => host)

test(`each of ${SCRIPTS} generated scripts is found or called opaque`, () => {
  const scripts = generateScripts(SCRIPTS, SEED)
  let found = 0
  const silent = scripts.filter(({ code, does }) => {
    const { capabilities, opaque } = analyze(code)
    const isFound = does.every((id) => capabilities.some((finding) => finding.id === id))
    if (isFound) found++
    return !isFound && opaque.length === 0
  })
  console.log(`${scripts.length} scripts: ${((found / scripts.length) * 100).toFixed(1)} % found, the others opaque`)
  expect(new Set(scripts.map(({ code }) => code)).size).toBe(SCRIPTS)
  expect(silent).toEqual([])
  expect(found / scripts.length).toBeGreaterThan(0.6)
}, 120_000)

test('a script that is generated parses', () => {
  const broken = generateScripts(SCRIPTS, SEED).filter(({ code }) =>
    reasonsOf(code).some((reason) => reason.includes('word by word')),
  )
  expect(broken).toEqual([])
}, 120_000)
