import { expect, test } from 'vitest'
import { createClient } from './client.ts'
import { describeSignInError } from './sign-in.ts'

const describeBan = async (ends_at: string | null) => {
  const reply = { status: 200, statusText: '', text: JSON.stringify({ reason: 'Spam', ends_at }) }
  return (
    await describeSignInError(
      createClient(async () => reply),
      'banned',
    )
  ).text
}

test('names the end of a ban with its time zone', async () => {
  const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' })
    .formatToParts(new Date('2030-01-31T12:00:00Z'))
    .find(({ type }) => type === 'timeZoneName')?.value
  expect(zone).toBeTruthy()
  expect(await describeBan('2030-01-31T12:00:00Z')).toMatch(
    new RegExp(`^This account is banned until January 3\\d, 2030 at .*${zone}\\. Reason: Spam$`),
  )
  expect(await describeBan(null)).toBe('This account is permanently banned. Reason: Spam')
})
