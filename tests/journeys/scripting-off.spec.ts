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

test('the header is not shown before all of it is parsed, so that nothing in it moves', async ({ page }) => {
  let isCut = true
  await page.route(/\/terms$/, async (route) => {
    const response = await route.fetch()
    const html = await response.text()
    await route.fulfill({ response, body: isCut ? html.slice(0, html.indexOf('</header>')) : html })
  })
  await page.goto('/terms')
  const logo = page.locator('header').getByRole('link', { name: 'Scriptyard', includeHidden: true })
  await expect(logo).toHaveCount(1)
  await expect(logo).toBeHidden()
  isCut = false
  await page.reload()
  await expect(logo).toBeVisible()
})
