import { describe, expect, test } from 'vitest'
import { fillIn, isWhole, readSample, settingsFor } from './configuration.ts'
import { evaluate, findFailures, formatOutcome, type Measurements } from './outcome.ts'

describe('sample configuration', () => {
  test('is filled in with values, and a missing one is an error', () => {
    expect(fillIn('bind ${ADDRESS}:${PORT_1} $other', { ADDRESS: '127.0.0.1', PORT_1: 5000 })).toBe(
      'bind 127.0.0.1:5000 $other',
    )
    expect(() => fillIn('${PORT}', { ADDRESS: '127.0.0.1' })).toThrow('a value for PORT')
  })

  test('says in each file how to fill it in, and confirms commits on another node', () => {
    for (const file of ['etcd.yml', 'patroni.yml', 'haproxy.cfg', 'pgbouncer.ini'] as const) {
      expect(readSample(file)).toContain(`envsubst < ${file}`)
    }
    expect(readSample('patroni.yml')).toContain('synchronous_mode_strict: true')
    expect(readSample('haproxy.cfg')).toContain('on-marked-down shutdown-sessions')
  })

  test.each([
    ['patroni 2.1.4', 'etcd', 'true', 'true'],
    ['patroni 3.0.2', 'etcd', 'true', 'true'],
    ['patroni 3.0.3', 'etcd3', 'false', 'true'],
    ['patroni 3.3.10', 'etcd3', 'false', 'true'],
    ['patroni 4.1.5', 'etcd3', 'false', 'quorum'],
    ['patroni 10.0', 'etcd3', 'false', 'quorum'],
  ])('has the settings of %s', (version, ETCD_INTERFACE, ETCD_V2, SYNCHRONOUS_MODE) => {
    expect(settingsFor(version)).toEqual({ ETCD_INTERFACE, ETCD_V2, SYNCHRONOUS_MODE })
  })
})

describe('a cluster is whole', () => {
  const primary = { name: 'node1', role: 'leader', state: 'running' }
  const confirming = { name: 'node2', role: 'sync_standby', state: 'running', lag: 0 }
  const other = { name: 'node3', role: 'replica', state: 'streaming', lag: 100 }

  test('with a primary, a replica that confirms commits and one that streams', () => {
    expect(isWhole([primary, confirming, other], 3)).toBe(true)
    expect(isWhole([primary, { ...confirming, role: 'quorum_standby' }, other], 3)).toBe(true)
  })

  test.each([
    ['a node is missing', [primary, confirming]],
    ['there is no primary', [{ ...primary, role: 'replica', lag: 0 }, confirming, other]],
    ['the primary starts', [{ ...primary, state: 'starting' }, confirming, other]],
    ['a replica starts', [primary, confirming, { ...other, state: 'starting' }]],
    ['a replica is far behind', [primary, confirming, { ...other, lag: 2 ** 30 }]],
    ['the position of a replica is unknown', [primary, confirming, { ...other, lag: 'unknown' }]],
    ['nobody confirms commits', [primary, { ...confirming, role: 'replica' }, other]],
  ])('but not if %s', (_, members) => {
    expect(isWhole(members, 3)).toBe(false)
  })
})

describe('the outcome of a drill', () => {
  const measured: Measurements = {
    startedAt: 0,
    endedAt: 20_000,
    faults: [
      { name: 'kill', startedAt: 1000, maxPauseMs: 4000 },
      { name: 'stop', startedAt: 10_000 },
    ],
    // The first acknowledgments after a fault answer requests from before it.
    acknowledgedAt: [500, 1100, 1200, 6000, 6100, 9900, 10_100, 19_000],
    reads: [
      { path: '/scripts/a-1', startedAt: 900, ms: 3000, status: 200 },
      { path: '/', startedAt: 1500, ms: 20, status: 200 },
      { path: '/scripts/b-2', startedAt: 2000, ms: 2500, status: 200 },
      { path: '/api/script-details-slug?slug=a-1', startedAt: 3000, ms: 10, status: 503 },
      { path: '/', startedAt: 11_000, ms: 30, status: 404 },
    ],
  }

  test('has the end of the longest pause and the reads after each fault', () => {
    expect(evaluate(measured)).toEqual([
      { name: 'kill', resumedMs: 5000, reads: 3, failedReads: 2, slowestReadMs: 2500 },
      { name: 'stop', resumedMs: 9000, reads: 1, failedReads: 0, slowestReadMs: 30 },
    ])
  })

  test('fails if writes pause for too long or reads fail', () => {
    expect(findFailures(measured)).toEqual([
      'kill: writes resumed after 5.0 s, limit 4.0 s',
      'kill: 2 of 3 reads failed',
    ])
  })

  test('fails if writes never resume', () => {
    const faults = [{ name: 'kill', startedAt: 10_000, maxPauseMs: 4000 }]
    const stopped = { ...measured, faults, acknowledgedAt: [500, 10_100], reads: [] }
    expect(findFailures(stopped)).toEqual(['kill: writes did not resume, limit 4.0 s'])
    expect(findFailures({ ...stopped, faults: [{ name: 'silence', startedAt: 10_000 }] })).toEqual([])
  })

  test('is a table', () => {
    expect(formatOutcome(measured).split('\n')).toEqual([
      '| fault | writes resumed after | failed reads | slowest read |',
      '| --- | --- | --- | --- |',
      '| kill | 5.0 s | 2 of 3 | 2.5 s |',
      '| stop | 9.0 s | 0 of 1 | 0.0 s |',
      '8 acknowledged writes in 20 s, 0 a second',
      '2 × /scripts/… too slow',
      '1 × /api/script-details-slug?slug=… 503',
    ])
  })
})
