import { expect, expectGoodOnEachScreen, test, expectNoOverflow } from './page.ts'
import { openSettings } from './settings.ts'

test('the settings, their dialogs and the own profile fit a desktop and a phone and are accessible', async ({
  page,
}) => {
  await openSettings(page)
  await expectGoodOnEachScreen(page)
  await page.getByLabel('Display name').fill('W'.repeat(50))
  await page.getByLabel('Bio').fill(`${'Donaudampfschifffahrt'.repeat(20)} https://example.com/${'a'.repeat(200)}`)
  await page.getByLabel('Location').fill('\u05d9\u05e8\u05d5\u05e9\u05dc\u05d9\u05dd '.repeat(10).trim())
  await page.getByLabel('Another site').fill(`https://example.com/${'a'.repeat(500)}`)
  await expectGoodOnEachScreen(page)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Profile updated successfully!')).toBeVisible()
  await page.getByRole('tab', { name: 'Privacy' }).click()
  await expect(page.getByRole('switch', { name: 'Show location' })).toBeChecked()
  await expectGoodOnEachScreen(page)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectGoodOnEachScreen(page)
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await page.getByRole('link', { name: 'Your profile' }).click()
  await expect(page.getByRole('link', { name: 'Edit Profile' })).toBeVisible()
  await expectGoodOnEachScreen(page)
  await page.getByRole('tab', { name: 'Scripts' }).click()
  await expect(page.getByText('No scripts yet')).toBeVisible()
  await expectGoodOnEachScreen(page)
  await page.setViewportSize({ width: 320, height: 700 })
  await expectNoOverflow(page)
  await page.goto('/profile/settings')
  await expect(page.getByLabel('Display name')).toBeVisible()
  await expectNoOverflow(page)
})
