import { expect, test } from 'vitest'
import { parseEvents } from './event-stream.ts'

test('names the whole events of a piece', () => {
  expect(parseEvents('retry: 5000\n\nevent: changed\ndata: {}\n\n:\n\n')).toEqual({ events: ['changed'], rest: '' })
})

test('keeps a half event for the next piece', () => {
  const first = parseEvents('event: changed\ndata: {}\n\nevent: cha')
  expect(first).toEqual({ events: ['changed'], rest: 'event: cha' })
  expect(parseEvents(`${first.rest}nged\ndata: {}\n\n`)).toEqual({ events: ['changed'], rest: '' })
})

test('hears nothing in a heartbeat', () => {
  expect(parseEvents(':\n\n:\n\n')).toEqual({ events: [], rest: '' })
})
