import { loginButton, openAs, readToken } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, test } from './page.ts'

test('a member signs another device out, then everywhere', async ({ page, signInAs }) => {
  const other = await signInAs('lin', '/popular')
  await page.setViewportSize({ width: 360, height: 740 })
  await openAs(page, 'lin', '/profile/settings')
  await page.getByRole('tab', { name: 'Sessions' }).click()
  const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'This device' })).toHaveCount(1)
  const count = await rows.count()
  expect(count).toBeGreaterThan(1)
  await expectAccessible(page)
  await expectNoOverflow(page)

  // The session of the other page is the latest of the others.
  await rows.nth(1).getByRole('button', { name: 'Sign out' }).focus()
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(count - 1)
  await expect(page.getByRole('list', { name: 'Sessions' })).toBeFocused()
  await other.reload()
  await expect(loginButton(other)).toBeEnabled()

  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Sign out everywhere?' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(loginButton(page)).toBeEnabled()
  expect(await readToken(page)).toBeNull()
})
