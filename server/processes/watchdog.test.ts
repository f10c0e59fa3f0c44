import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Watchdog } from './watchdog.ts'

const PATIENCE = 600

let silent: string[]
let watchdog: Watchdog<string>
beforeEach(() => {
  vi.useFakeTimers()
  silent = []
  watchdog = new Watchdog(PATIENCE, (who) => silent.push(who))
})
afterEach(() => {
  watchdog.stop()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTime(ms)

test('tells once who is silent for too long, and not who speaks', () => {
  watchdog.recordHeartbeat('speaks')
  watchdog.recordHeartbeat('silent')
  for (let at = 0; at < 20; at++) {
    pass(100)
    watchdog.recordHeartbeat('speaks')
  }
  expect(silent).toEqual(['silent'])
  watchdog.recordHeartbeat('silent')
  pass(2 * PATIENCE)
  expect(silent).toEqual(['silent', 'speaks', 'silent'])
})

test('tells of nobody who went, and of nobody it never heard', () => {
  watchdog.recordHeartbeat('went')
  watchdog.forget('went')
  pass(3 * PATIENCE)
  expect(silent).toEqual([])
})

test('who was held up itself blames nobody', () => {
  watchdog.recordHeartbeat('was not heard')
  pass(100)
  // The event loop stands still: the next look comes late.
  vi.spyOn(performance, 'now').mockReturnValueOnce(performance.now() + 5 * PATIENCE)
  pass(100)
  expect(silent).toEqual([])
})
