import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayText, timeText } from './dates.ts'

test('writes dates and times as Intl does', () => {
  const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })
  const minutes = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
  const dates = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(dates, (date) => {
      const iso = date.toISOString()
      expect([dayText(iso), timeText(iso)]).toEqual([days.format(date), `${minutes.format(date)} UTC`])
    }),
  )
})
