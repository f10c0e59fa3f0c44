import { expect, expectAccessible, expectNoOverflow, findScript, test, onEachScreen } from './page.ts'
import { unique } from './portal.ts'

test('a member collects scripts, orders and describes them, and shares the collection', async ({ page, signInAs }) => {
  const name = unique('Bright lamps')
  const member = await signInAs('ada_builds', await findScript(page, 'snake'))
  await member.getByRole('button', { name: 'Collect' }).click()
  const dialog = member.getByRole('dialog')
  await dialog.getByRole('button', { name: 'New collection' }).click()
  await dialog.getByRole('textbox', { name: /^Name/ }).fill(name)
  await dialog.getByRole('switch', { name: 'Public' }).check()
  await expectAccessible(member)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('checkbox', { name })).toBeChecked()
  await dialog.getByRole('button', { name: 'Done' }).click()

  await member.goto(await findScript(page, 'janitor'))
  await member.getByRole('button', { name: 'Collect' }).click()
  await dialog.getByRole('checkbox', { name }).check()
  await expect(dialog.getByText('2 scripts, public')).toBeVisible()
  await dialog.getByRole('link', { name: `Open ${name}` }).click()
  await expect(member.getByRole('heading', { level: 1, name })).toBeVisible()
  const path = new URL(member.url()).pathname

  await member.getByRole('button', { name: 'Order and notes' }).click()
  const up = member.getByRole('button', { name: /^Move Janitor.* up$/ })
  await up.focus()
  const saved = member.waitForResponse((response) => response.url().includes('collection-items'))
  await member.keyboard.press('Enter')
  await saved
  await expect(up).toBeDisabled()
  const rows = member.locator('main ol > li')
  for (const first of ['Snake', 'Janitor']) {
    await rows.nth(1).locator('[draggable]').dragTo(rows.nth(0))
    await expect(rows.nth(0)).toContainText(first)
  }
  await member.getByRole('textbox', { name: /^Note on Janitor/ }).fill('Start here.')
  await member.getByRole('button', { name: 'Done' }).click()
  await expect(member.getByText('Start here.')).toBeVisible()

  await page.goto(path)
  await expect(page.locator('main ol h3')).toHaveText([/^Janitor/, /^Snake/])
  await expect(page.getByText('Start here.')).toBeVisible()
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', name)
  for (const url of ['/collections', path]) {
    await member.goto(url)
    await expect(member.getByText(name).first()).toBeVisible()
    await onEachScreen(member, async () => {
      await expectNoOverflow(member)
      await expectAccessible(member)
    })
  }
  await page.goto('/profile/ada_builds')
  await expect(page.getByRole('list', { name: 'Collections' }).getByRole('link', { name })).toBeVisible()

  await member.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('switch', { name: 'Public' }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(member.getByText('Private', { exact: true })).toBeVisible()
  expect((await page.request.get(path)).status()).toBe(404)
  await member.reload()
  await expect(member.getByRole('heading', { level: 1, name })).toBeVisible()
  await member.getByRole('button', { name: 'Delete' }).click()
  await member.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(member).toHaveURL('/collections')
})
