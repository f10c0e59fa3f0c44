import { expect, test } from './page.ts'

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
