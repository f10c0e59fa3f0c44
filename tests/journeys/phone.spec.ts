import type { Locator } from '@playwright/test'
import { expect, test, open, expectNoOverflow, expectUncovered, findScript, PHONE } from './page.ts'

test.use(PHONE)

test('the menu contains the navigation and closes with Escape', async ({ page }) => {
  await open(page, '/')
  const menu = page.locator('summary[aria-label=Menu]')
  await menu.click()
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link').filter({ visible: true })
  await expect(links).toHaveText(['Scripts', 'Popular', 'Showcases', 'Giveaways', 'Upload'])
  await page.keyboard.press('Escape')
  await expect(links).toHaveCount(0)
  await expect(menu).toBeFocused()
})

test('the sign-in button has its full label', async ({ page }) => {
  await open(page, '/')
  await expect(page.getByRole('banner').getByText('Login with Discord', { exact: true })).toBeInViewport({ ratio: 1 })
  await expectNoOverflow(page)
})

test('the bar that copies the script is at the bottom of the screen on every part of the page', async ({ page }) => {
  await open(page, await findScript(page, 'snake'))
  const bar = page.locator('[data-bottom-bar]')
  const copy = bar.getByRole('button')
  const bottomOf = (locator: Locator) =>
    locator.evaluate((element) => innerHeight - element.getBoundingClientRect().bottom)
  await copy.click()
  await expect(page.getByText('Copied!').filter({ visible: true }).first()).toBeVisible()
  for (const part of ['#preview', '#comments', 'footer']) {
    await page.locator(part).last().scrollIntoViewIfNeeded()
    expect(await bottomOf(bar), part).toBe(0)
    await expectUncovered(copy)
  }
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const height = await bar.evaluate((element) => element.getBoundingClientRect().height)
  expect(await bottomOf(page.locator('footer').last())).toBeGreaterThanOrEqual(height)
  await page.locator('footer').last().getByRole('link').last().focus()
  await expectUncovered(page.locator('footer').last().getByRole('link').last())
})

test('filters open in a sheet that applies them', async ({ page }) => {
  await open(page, '/')
  await page.getByRole('button', { name: 'More Filters' }).click()
  await page.getByText('Verified Creators').click()
  await page.getByRole('button', { name: 'Apply Filters' }).click()
  await expect(page).toHaveURL(/verified_creators=true/)
})
