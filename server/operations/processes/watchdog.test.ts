import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Watchdog } from './workers.ts'

const TIMEOUT_MS = 600

let silent: string[]
let watchdog: Watchdog<string>
beforeEach(() => {
  vi.useFakeTimers()
  silent = []
  watchdog = new Watchdog(TIMEOUT_MS, (who) => silent.push(who))
})
afterEach(() => {
  watchdog.stop()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTime(ms)

test('reports a silent process once, and not one that sends heartbeats', () => {
  watchdog.recordHeartbeat('alive')
  watchdog.recordHeartbeat('silent')
  for (let i = 0; i < 20; i++) {
    pass(100)
    watchdog.recordHeartbeat('alive')
  }
  expect(silent).toEqual(['silent'])
  watchdog.recordHeartbeat('silent')
  pass(2 * TIMEOUT_MS)
  expect(silent).toEqual(['silent', 'alive', 'silent'])
})

test('reports no process that was removed or never sent a heartbeat', () => {
  watchdog.recordHeartbeat('removed')
  watchdog.remove('removed')
  pass(3 * TIMEOUT_MS)
  expect(silent).toEqual([])
})

test('reports no process if it was blocked itself', () => {
  watchdog.recordHeartbeat('waiting')
  pass(100)
  // The event loop was blocked: the next check comes late.
  vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() + 5 * TIMEOUT_MS)
  pass(100)
  expect(silent).toEqual([])
})
