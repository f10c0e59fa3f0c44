import { callApi } from './members.ts'
import { expect, test, expectAccessible, expectNoOverflow, type Page, onEachDevice } from './page.ts'
import { openPortal, unique } from './portal.ts'

const tabs = [
  '',
  '/users',
  '/scripts',
  '/showcases',
  '/giveaways',
  '/moderation',
  '/notifications',
  '/behavior',
  '/jobs',
  '/users/1',
]

async function expectGood(page: Page): Promise<void> {
  await expect(page.getByText('Loading...')).toHaveCount(0)
  await expectNoOverflow(page)
  await expectAccessible(page)
}

onEachDevice(() => {
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

  test('each filter has a visible label', async ({ page }) => {
    await openPortal(page)
    const filters = {
      users: ['Status', 'Role'],
      scripts: ['Status', 'Type'],
      giveaways: ['Status'],
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
    await page.getByRole('button', { name: 'Bulk actions' }).click()
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
    await page.getByRole('button', { name: 'Bulk actions' }).click()
    await expectGood(page)
    await page.goto('/admin/showcases?showcased=true')
    await page
      .getByRole('button', { name: /^Edit details/ })
      .first()
      .click()
    await expectGood(page)
    await page.goto('/admin/giveaways')
    await page.getByRole('button', { name: 'Create giveaway' }).click()
    await expectGood(page)
  })

  test('the giveaway dialogs fit the screen and are accessible', async ({ page }) => {
    await openPortal(page, '/admin/giveaways')
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
    const said = { subject_type: 'script', subject_id: id, reason: 'stolen', text: 'It is mine.' }
    expect((await callApi(reporter, 'POST', '/api/reports', said)).status).toBe(201)
    await openPortal(page, '/admin/moderation')
    const thing = page.getByRole('article').filter({ hasText: title })
    await thing.getByRole('button', { name: /^Decide/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Decide' })
    for (const verdict of ['Hide it', 'Tell the author', 'No violation']) {
      await dialog.getByRole('radio', { name: verdict }).check()
      await expectGood(page)
    }
    await dialog.getByRole('button', { name: 'Dismiss' }).click()
    await expect(thing).toHaveCount(0)
  })
})
