import { expect, test, open, expectNoOverflow, findScript, PHONE } from './page.ts'

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

test('the sticky bar copies the script', async ({ page }) => {
  await open(page, await findScript(page, 'snake'))
  const copy = page.getByRole('button', { name: /Copy/ }).filter({ visible: true }).last()
  await expect(copy).toBeInViewport()
  await copy.click()
  await expect(page.getByText('Copied!').filter({ visible: true }).first()).toBeVisible()
})

test('filters open in a sheet that applies them', async ({ page }) => {
  await open(page, '/')
  await page.getByRole('button', { name: 'More Filters' }).click()
  await page.getByText('Verified Creators').click()
  await page.getByRole('button', { name: 'Apply Filters' }).click()
  await expect(page).toHaveURL(/verified_creators=true/)
})
