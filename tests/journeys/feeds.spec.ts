import { parseAtomFeed, parseJsonFeed } from 'feedsmith'
import { expect, findScript, open, test, type Page } from './page.ts'

const typesOf = ['application/atom+xml', 'application/feed+json'] as const

/** Paths of the feeds that a page names for feed readers. */
async function findFeeds(page: Page): Promise<string[]> {
  const links = await Promise.all(
    typesOf.map((type) => page.locator(`link[rel="alternate"][type="${type}"]`).getAttribute('href')),
  )
  return links.map((link) => link ?? '')
}

async function expectReadable(page: Page, [atom = '', json = '']: string[], title: string | RegExp): Promise<void> {
  const feed = parseAtomFeed(await (await page.request.get(atom)).text())
  expect(feed.title?.value).toMatch(title)
  expect(feed.entries?.length).toBeGreaterThan(0)
  expect(parseJsonFeed(await (await page.request.get(json)).text()).items?.length).toBe(feed.entries?.length)
}

test('a search has a feed with the same filters, named for readers and linked', async ({ page }) => {
  await open(page, '/?search=menu&free_only=true&sort=download_count')
  const feeds = await findFeeds(page)
  expect(feeds[0]).toBe('/feeds/scripts.atom?search=menu&free_only=true&sort=download_count')
  await expectReadable(page, feeds, /^Scripts: “menu”, free only · /)
  await expect(page.getByRole('link', { name: 'Feed: these scripts' })).toHaveAttribute('href', feeds[0] ?? '')
  await page.getByRole('link', { name: 'Remove “menu”' }).click()
  await expect(page.getByRole('link', { name: 'Feed: these scripts' })).not.toHaveAttribute('href', /search/)
  expect((await findFeeds(page))[0]).toBe('/feeds/scripts.atom?free_only=true&sort=download_count')
})

test('profiles, scripts, popular scripts and giveaways have feeds', async ({ page }) => {
  await open(page, '/profile/ada_builds?tab=scripts')
  await expectReadable(page, await findFeeds(page), /^New scripts by /)
  await expect(page.getByRole('link', { name: /^Feed: scripts by / })).toBeVisible()

  await open(page, await findScript(page, 'settings menu'))
  await expectReadable(page, await findFeeds(page), /^Versions of /)
  await expect(page.getByRole('link', { name: 'Feed: new versions' })).toBeVisible()

  await open(page, '/popular')
  await expectReadable(page, await findFeeds(page), /^Trending scripts · /)
  await open(page, '/giveaways')
  await expectReadable(page, await findFeeds(page), /^Giveaways · /)
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Feed of new scripts' })).toHaveAttribute(
    'href',
    '/feeds/scripts.atom',
  )
})
