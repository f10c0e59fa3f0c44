import { expect, test } from 'vitest'
import { parseEvents } from './live-updates.ts'

test('parses the complete events of a chunk', () => {
  expect(parseEvents('retry: 5000\n\nevent: changed\ndata: {}\n\n:\n\n')).toEqual({ events: ['changed'], rest: '' })
})

test('buffers an incomplete event for the next chunk', () => {
  const first = parseEvents('event: changed\ndata: {}\n\nevent: cha')
  expect(first).toEqual({ events: ['changed'], rest: 'event: cha' })
  expect(parseEvents(`${first.rest}nged\ndata: {}\n\n`)).toEqual({ events: ['changed'], rest: '' })
})

test('ignores heartbeats', () => {
  expect(parseEvents(':\n\n:\n\n')).toEqual({ events: [], rest: '' })
})
