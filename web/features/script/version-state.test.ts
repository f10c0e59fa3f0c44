import { describe, expect, test } from 'vitest'
import type { ScriptVersion } from '#contract/scripts.ts'
import { describeProvenance, describeState, isPublished, readSuccessor, sourceUrl } from './version-state.ts'

const version: ScriptVersion = {
  number: 3,
  version: '1.0.5',
  changelog: null,
  changelog_details: null,
  size: 10,
  sha256: '',
  is_current: false,
  created_at: '2026-11-28T14:00:00.000Z',
  state: 'former',
  state_since: '2026-11-28T14:05:00.000Z',
  provenance: { by: 'web', repository: null, commit: null, workflow: null, run_url: null, matches_commit: null },
  token_name: null,
  held: null,
  discard_reason: null,
  withdrawn: null,
}
const built = {
  ...version.provenance,
  by: 'build' as const,
  repository: 'ada/pool',
  commit: '1a2b3c4d5e6f',
  run_url: 'https://github.com/ada/pool/actions/runs/1',
}

describe('how a version was published', () => {
  test.each([
    [{ ...version, provenance: built }, 'Built by ada/pool at 1a2b3c4'],
    [{ ...version, provenance: { ...built, by: 'repository' as const, commit: null } }, 'From ada/pool'],
    [version, 'Published in the browser'],
    [
      { ...version, token_name: 'deploy', provenance: { ...built, by: 'token' as const } },
      'Published with the token “deploy”',
    ],
    [{ ...version, provenance: { ...built, by: 'token' as const } }, 'Published with an API token'],
    [{ ...version, provenance: { ...built, by: 'unknown' as const } }, ''],
  ])('is a sentence (%#)', (shown, text) => {
    expect(describeProvenance(shown)).toBe(text)
  })

  test('links to the commit at the forge if there was no build', () => {
    const commit_url = 'https://github.com/ada/pool/commit/1a2b3c4d5e6f'
    expect(sourceUrl({ provenance: { ...built, run_url: null, commit_url } })).toBe(commit_url)
    expect(sourceUrl({ provenance: { ...built, commit_url } })).toBe(built.run_url)
    expect(sourceUrl({ provenance: { ...built, run_url: null, commit_url: 'http://forge.example/x' } })).toBeUndefined()
  })

  test('links to runs by https only', () => {
    expect(sourceUrl({ provenance: built })).toBe(built.run_url)
    expect(sourceUrl({ provenance: { ...built, run_url: 'javascript:alert(1)' } })).toBeUndefined()
    expect(sourceUrl(version)).toBeUndefined()
  })
})

describe('the state of a version', () => {
  test('says why it waits or was discarded', () => {
    const held = { reasons: [], confirmed_at: null, current_at: null }
    expect(describeState({ ...version, state: 'held', held })).toBe('It waits for a decision.')
    expect(
      describeState({ ...version, state: 'held', held: { ...held, current_at: '2026-11-29T14:00:00.000Z' } }),
    ).toBe('Until Nov 29, 2026, 2:00 PM UTC: it waits for a decision.')
    expect(describeState({ ...version, state: 'checking' })).toBeUndefined()
    expect(describeState({ ...version, state: 'discarded', discard_reason: 'Replaced by 1.0.6.' })).toBe(
      'Nov 28, 2026, 2:05 PM UTC. Replaced by 1.0.6.',
    )
    const withdrawn = {
      withdrawn_at: '2026-11-29T10:00:00.000Z',
      by: 'author' as const,
      reason: 'It deleted files.',
      is_malicious: false,
    }
    expect(describeState({ ...version, state: 'withdrawn', withdrawn })).toBe(
      'By its author, Nov 29, 2026, 10:00 AM UTC: It deleted files.',
    )
    expect(describeState(version)).toBeUndefined()
  })

  test('decides whether everyone can read the code', () => {
    expect(isPublished({ state: 'current' })).toBe(true)
    expect(isPublished({ state: 'held' })).toBe(false)
    expect(isPublished({ state: 'discarded' })).toBe(false)
  })
})

test('a successor is a slug or an address', () => {
  expect(readSuccessor('https://yard.example/scripts/coins-12?tab=1')).toBe('coins-12')
  expect(readSuccessor(' coins-12 ')).toBe('coins-12')
  expect(readSuccessor('  ')).toBeUndefined()
})
