import { callApi } from './members.ts'
import { expect, test, expectAccessible, expectNoOverflow, onEachScreen, type Page } from './page.ts'
import { openPortal, unique } from './portal.ts'

/** The tabs with the labels of their filters. */
const tabs: Record<string, string[]> = {
  '': [],
  '/users': ['Status', 'Role'],
  '/scripts': ['Status', 'Type'],
  '/showcases': [],
  '/giveaways': ['Status'],
  '/moderation': [],
  '/held': [],
  '/notifications': [],
  '/behavior': [],
  '/jobs': [],
}

async function expectFit(page: Page): Promise<void> {
  await expect(page.getByText('Loading...')).toHaveCount(0)
  await expectNoOverflow(page)
  await expectAccessible(page)
}

const expectGood = (page: Page) => onEachScreen(page, () => expectFit(page))

async function chooseTab(page: Page, path: string): Promise<void> {
  await page.locator(`[role=tab][href="/admin${path}"]`).click()
  await expect(page).toHaveURL(`/admin${path}`)
  await expectContent(page)
}

const expectContent = (page: Page) =>
  expect(
    page
      .getByRole('tabpanel')
      .getByRole('heading', { level: 3 })
      .or(page.getByRole('button', { name: /^(Actions for|Create)/ }))
      .first(),
  ).toBeVisible()

test('every tab fits the screen and is accessible, and each filter has a visible label', async ({ page }) => {
  await openPortal(page, '/admin/users/1')
  await expectContent(page)
  await expectGood(page)
  for (const [tab, labels] of Object.entries(tabs)) {
    await test.step(`/admin${tab}`, async () => {
      await chooseTab(page, tab)
      await onEachScreen(page, async () => {
        await expectFit(page)
        for (const label of labels) {
          const box = await page.locator('label').getByText(label, { exact: true }).boundingBox()
          expect(box?.width, `${label} of ${tab}`).toBeGreaterThan(20)
        }
      })
    })
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
  await page.getByRole('button', { name: 'Bulk actions' }).click()
  await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Ban' })
  await expectGood(page)
  await page.keyboard.press('Escape')
  await chooseTab(page, '/scripts')
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expectGood(page)
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Bulk actions' }).click()
  await expectGood(page)
  await page.goto('/admin/showcases?showcased=true')
  await page
    .getByRole('button', { name: /^Edit details/ })
    .first()
    .click()
  await expectGood(page)
  await page.keyboard.press('Escape')

  await chooseTab(page, '/giveaways')
  await page.getByRole('button', { name: 'Create giveaway' }).click()
  await expectGood(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Select Winners' }).first().click()
  await expect(page.getByRole('alertdialog', { name: 'Select Winners' })).toBeVisible()
  await expectGood(page)
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click()
  await expect(page.getByRole('alertdialog', { name: 'Delete giveaway' })).toBeVisible()
  await expectGood(page)
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /^Prizes of/ })
    .first()
    .click()
  await expectGood(page)
  await page.getByRole('button', { name: 'Show prizes' }).click()
  await expect(page.getByRole('dialog').getByRole('status')).toBeVisible()
  await expectGood(page)
})

test('the moderation dialogs fit the screen and are accessible', async ({ page, signInAs }) => {
  const author = await signInAs('Someone new')
  const title = unique('Quiet pond')
  const script = { title, description: 'A script.', script_content: 'print(1)' }
  const made = await callApi(author, 'POST', '/api/scripts', script)
  const { id } = (JSON.parse(made.text) as { script: { id: number } }).script
  const reporter = await signInAs('Someone new')
  const report = { subject_type: 'script', subject_id: id, reason: 'stolen', text: 'It is mine.' }
  expect((await callApi(reporter, 'POST', '/api/reports', report)).status).toBe(201)
  await openPortal(page, '/admin/moderation')
  const reportCase = page.getByRole('article').filter({ hasText: title })
  await reportCase.getByRole('button', { name: /^Decide/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Decide' })
  await onEachScreen(page, async () => {
    for (const verdict of ['Hide', 'Notify the author', 'No violation']) {
      await dialog.getByRole('radio', { name: verdict }).check()
      await expectFit(page)
    }
  })
  await dialog.getByRole('button', { name: 'Dismiss' }).click()
  await expect(reportCase).toHaveCount(0)
})
