import { expect, test, open, findScript } from './page.ts'

test('opens a script from the list, copies its code and goes back', async ({ page }) => {
  await open(page, '/')
  const card = page.getByRole('article').first()
  const title = await card.getByRole('heading').innerText()
  await card.getByRole('heading').getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  await page
    .getByRole('button', { name: /^Copy( script)?/ })
    .first()
    .click()
  await expect(page.getByText('Copied!').first()).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const raw = await (await page.request.get(new URL(page.url()).pathname.replace('/scripts/', '/raw/'))).text()
  expect(copied).toBe(raw)
  await page.goBack()
  await expect(page.getByRole('article').first().getByRole('heading')).toHaveText(title)
})

test('the first screen shows the title, warnings, stats and the start of the description', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page, await findScript(page, 'lobby teleport'))
  await expect(page.getByRole('list', { name: 'Badges' })).toContainText('Not working')
  await expect(page.locator('#overview').getByText('Stand on a pad')).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Code check' })).toBeInViewport()
  const cover = await page.getByRole('link', { name: 'Show the cover in full size' }).boundingBox()
  expect(cover?.height).toBeLessThan(200)
  await open(page, await findScript(page, 'rate limiter'))
  await expect(page.getByRole('main').locator('header')).toContainText('0.0')
  await expect(page.getByRole('main').locator('header')).toContainText('No ratings yet')
  await expect(page.getByRole('region', { name: 'Ratings and reviews' })).toContainText('0.0')
})

test('the download is a file named after the script', async ({ page }) => {
  const path = await findScript(page, 'snake')
  await open(page, path)
  const waiting = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download' }).first().click()
  expect((await waiting).suggestedFilename()).toBe(`${path.split('/').at(-1)}.luau`)
})

test('outdated and unusual URLs redirect to the URL of a script', async ({ page }) => {
  const path = await findScript(page, 'snake')
  const id = /-(\d+)$/.exec(path)?.[1]
  await open(page, `/scripts/an-old-title-${id}`)
  await expect(page).toHaveURL(new RegExp(`${path}$`))
})

test('long descriptions and long review lists expand on demand', async ({ page }) => {
  const response = await page.request.get('/api/scripts?limit=100')
  const { scripts } = (await response.json()) as {
    scripts: { slug: string; description: string; rating_count: number }[]
  }
  const long = scripts.find(({ description }) => description.endsWith('…'))
  await open(page, `/scripts/${long?.slug}`)
  await page.getByRole('button', { name: 'Read more' }).click()
  await page.getByRole('button', { name: 'Show less' }).click()
  await expect(page.getByRole('button', { name: 'Read more' })).toBeVisible()
  const rated = scripts.toSorted((a, b) => b.rating_count - a.rating_count)[0]
  await open(page, `/scripts/${rated?.slug}`)
  const reviews = page.locator('#ratings article')
  await expect(reviews.filter({ visible: true })).toHaveCount(5)
  await page.getByRole('button', { name: /Show \d+ more review/ }).click()
  await expect.poll(() => reviews.filter({ visible: true }).count()).toBeGreaterThan(5)
})

test('a tag links to its scripts', async ({ page }) => {
  await open(page, await findScript(page, 'snake'))
  await page.locator('main a[href$="tags=game"]').first().click()
  await expect(page).toHaveURL(/\?tags=game$/)
})

for (const path of [
  '/scripts/none-999999',
  '/scripts/no-number',
  '/scripts/x-99999999999999999',
  '/scripts/%ff',
  `/scripts/${'a'.repeat(10_000)}`,
]) {
  test(`the URL ${path.slice(0, 40)} shows a 404 page with links`, async ({ page }) => {
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Script Not Found' })).toBeVisible()
    await page
      .getByRole('main')
      .getByRole('link', { name: /scripts/i })
      .click()
    await expect(page).toHaveURL(/\/scripts$/)
  })
}

test('a page that crashes shows an error, and a retry recovers', async ({ page }) => {
  await open(page, '/')
  const broken = (url: URL) => url.pathname === '/api/script-details-slug'
  await page.route(broken, (route) => route.fulfill({ json: {} }))
  await page.route('**/api/script-comments?*', (route) => route.abort())
  await page.getByRole('article').first().getByRole('heading').getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  await expect(
    page.getByText("We're sorry, but something unexpected happened. Please try refreshing the page."),
  ).toBeVisible()
  await page.getByText('Error Details').click()
  await expect(page.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
  await page.unroute(broken)
  await page.getByRole('button', { name: 'Try Again' }).click()
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  // The comments could not be loaded.
  await expect(sections).toHaveText(['Overview', 'Code check', 'Preview', /^Versions/, 'Ratings'])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a script can be read and downloaded', async ({ page }) => {
    await page.goto(await findScript(page, 'snake'))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('--!strict')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Download' }).first()).toBeVisible()
  })
})
