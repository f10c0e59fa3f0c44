import { expect, test } from 'vitest'
import { takeEvents } from './event-stream.ts'

test('names the whole events of a piece', () => {
  expect(takeEvents('retry: 5000\n\nevent: changed\ndata: {}\n\n:\n\n')).toEqual({ events: ['changed'], rest: '' })
})

test('keeps a half event for the next piece', () => {
  const first = takeEvents('event: changed\ndata: {}\n\nevent: cha')
  expect(first).toEqual({ events: ['changed'], rest: 'event: cha' })
  expect(takeEvents(`${first.rest}nged\ndata: {}\n\n`)).toEqual({ events: ['changed'], rest: '' })
})

test('hears nothing in a heartbeat', () => {
  expect(takeEvents(':\n\n:\n\n')).toEqual({ events: [], rest: '' })
})
