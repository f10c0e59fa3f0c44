import { expect, findScript, test } from './page.ts'

test.use({ javaScriptEnabled: false })

for (const path of [
  '/upload',
  '/admin',
  '/moderation',
  '/appeals',
  '/profile/me',
  '/profile/settings',
  '/giveaways/1/draw',
]) {
  test(`${path} says that it needs JavaScript`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByText('This page needs JavaScript.')).toBeVisible()
    await expect(page.locator('main').getByText('Loading...')).toBeHidden()
  })
}

test('the page of a script says how many members have it among their favorites', async ({ page }) => {
  await page.goto(await findScript(page, 'settings menu'))
  await expect(page.locator('main header').getByText(/\d+ favorites?$/)).toBeVisible()
})
