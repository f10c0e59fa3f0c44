import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow } from './page.ts'
import { openPortal, test } from './portal.ts'

const tabs = ['', '/users', '/scripts', '/showcases', '/giveaways', '/moderation', '/notifications', '/users/1']

async function expectGood(page: Page): Promise<void> {
  await expect(page.getByText('Loading...')).toHaveCount(0)
  await expectNoOverflow(page)
  await expectAccessible(page)
}

test('every tab fits the screen and is accessible', async ({ page }) => {
  await openPortal(page)
  for (const tab of tabs) {
    await page.goto(`/admin${tab}`)
    await expect(
      page
        .getByRole('tabpanel')
        .getByRole('heading', { level: 3 })
        .or(page.getByRole('button', { name: /^(Actions for|Create)/ }))
        .first(),
    ).toBeVisible()
    await expectGood(page)
  }
})

test('each filter of the lists says what it filters', async ({ page }) => {
  await openPortal(page)
  const filters = {
    users: ['Status', 'Role'],
    scripts: ['Status', 'Type'],
    giveaways: ['Status'],
    moderation: ['Status'],
  }
  for (const [tab, labels] of Object.entries(filters)) {
    await page.goto(`/admin/${tab}`)
    for (const label of labels) {
      const box = await page.locator('label').getByText(label, { exact: true }).boundingBox()
      expect(box?.width, `${label} of ${tab}`).toBeGreaterThan(20)
    }
  }
})

test('every dialog fits the screen and is accessible', async ({ page }) => {
  await openPortal(page, '/admin/users?search=wren')
  for (const entry of ['Edit User', 'Make Admin', 'Issue Warning', 'Mute', 'Ban']) {
    await page.getByRole('button', { name: 'Actions for wren' }).click()
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
    await expect(page.locator('dialog')).toBeVisible()
    await expectGood(page)
    await page.keyboard.press('Escape')
  }
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Bulk Actions' }).click()
  await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Ban' })
  await expectGood(page)
  await page.goto('/admin/scripts')
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expectGood(page)
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Bulk Actions' }).click()
  await expectGood(page)
  await page.goto('/admin/showcases?showcased=true')
  await page
    .getByRole('button', { name: /^Edit details/ })
    .first()
    .click()
  await expectGood(page)
  await page.goto('/admin/giveaways')
  await page.getByRole('button', { name: 'Create Giveaway' }).click()
  await expectGood(page)
})
