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
  )?.text
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

test('does not call a sign-in failed for somebody who is signed in', async () => {
  const api = createClient(async () => ({ status: 404, statusText: '', text: '{}' }))
  for (const code of ['state_mismatch', 'bad_code']) {
    expect(await describeSignInError(api, code, 'ada')).toBeUndefined()
    expect(await describeSignInError(api, code)).toMatchObject({ title: 'Login failed' })
  }
  for (const code of ['discord_unavailable', 'failed', 'sign_in_unavailable', 'banned', 'unknown']) {
    const notice = await describeSignInError(api, code, 'ada')
    expect(notice).toMatchObject({ title: "You're still signed in as ada", tone: 'info', text: expect.any(String) })
  }
})
