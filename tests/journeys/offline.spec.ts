import { expect, expectGoodOnEachScreen, type Page, test } from './page.ts'

/** Of a context with service workers, which the pages of other journeys don't have. */
const visit = test.extend<{ visitor: Page }>({
  visitor: async ({ browser, site }, provide) => {
    const context = await browser.newContext({ baseURL: site.origin, serviceWorkers: 'allow' })
    await provide(await context.newPage())
    await context.close()
  },
})

/** Waits until the service worker has stored this page. */
const waitUntilStored = (page: Page, path: string): Promise<void> =>
  expect
    .poll(() => page.evaluate(async (url) => (await caches.match(url, { ignoreVary: true })) !== undefined, path))
    .toBe(true)

visit(
  'the last pages can be read without a connection, and the others open as soon as it is back',
  async ({ visitor }) => {
    await visitor.goto('/scripts')
    await waitUntilStored(visitor, '/scripts')
    const card = visitor.getByRole('main').getByRole('article').first().getByRole('heading').getByRole('link')
    const title = await card.innerText()
    await card.click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(title)
    const script = new URL(visitor.url()).pathname
    await waitUntilStored(visitor, script)

    await visitor.context().setOffline(true)
    await expect(visitor.getByText("You're offline.")).toBeVisible()
    await visitor.reload()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(title)
    await visitor.goto('/scripts')
    await expect(visitor.getByText(title).first()).toBeVisible()

    // A page that was never opened, by a link and by its address.
    await visitor.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()
    await visitor.goto('/giveaways')
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText("You're offline")
    await visitor.getByRole('link', { name: title }).click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(title)
    await visitor.goto('/giveaways')
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText("You're offline")

    await visitor.context().setOffline(false)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Giveaways')
    await expect(visitor).toHaveURL(/\/giveaways$/)
  },
)

test('what could not be loaded says that there is no connection, and loads when it is back', async ({ page }) => {
  await page.goto('/scripts')
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Next', exact: true }).click()
  await expect(page.getByRole('heading', { name: "You're offline" })).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
})

visit('a page that contains a sign-in is not stored', async ({ visitor }) => {
  await visitor.goto('/scripts')
  await waitUntilStored(visitor, '/scripts')
  await visitor.goto('/popular?token=secret')
  await visitor.goto('/behavior')
  await waitUntilStored(visitor, '/behavior')
  const urls = await visitor.evaluate(async () =>
    (await (await caches.open('pages')).keys()).map(({ url }) => new URL(url).search),
  )
  expect(urls.join()).not.toContain('secret')
})

test('the page that says so is good on each screen', async ({ page }) => {
  await page.goto('/offline')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("You're offline")
  await expectGoodOnEachScreen(page)
})
