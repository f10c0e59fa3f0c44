import { expect, expectAccessible, expectNoOverflow, open, type Page, test, PHONE } from './page.ts'

const field = (page: Page) => page.getByPlaceholder('Search scripts or #tag...')
const chips = (page: Page) => page.getByRole('list', { name: 'Active filters' })
const titles = (page: Page) => page.getByRole('article').getByRole('heading')

test.beforeAll(async ({ site }) => {
  await site.writeBehavior('orbit camera', {
    capabilities: ['net.send', 'net.webhook'],
    hosts: ['hooks.collector.example', 'pastebin.com'],
  })
  await site.writeBehavior('snake', { capabilities: ['net.get'], hosts: ['collector.example'] })
  await site.writeBehavior('settings menu', { capabilities: [], hosts: [] })
  // Lists follow the database after a moment.
  const find = async () => (await fetch(`${site.origin}/api/script-facets?host=collector.example`)).json()
  await expect.poll(find).toMatchObject({ total: 2 })
})

test('scripts are found by a host, with a heading, chips and the words that mean the same', async ({ page }) => {
  await open(page, '/scripts?host=collector.example')
  await expect(page.getByRole('heading', { name: 'Scripts that contact collector.example' })).toBeVisible()
  await expect(titles(page)).toHaveCount(2)
  await expect(page.locator('main').getByRole('link', { name: 'How we check scripts' })).toBeVisible()
  await expect(field(page)).toHaveValue('host:collector.example')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await expectAccessible(page)

  await field(page).fill('host:https://Collector.example/x uses:net.webhook')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/scripts\?uses=net\.webhook&host=collector\.example$/)
  await expect(titles(page)).toHaveText([/Orbit Camera/])
  await chips(page).getByRole('link', { name: 'Remove Contacts collector.example' }).click()
  await expect(page).toHaveURL(/\/scripts\?uses=net\.webhook$/)
  await expect(field(page)).toHaveValue('uses:net.webhook')

  await field(page).fill('lacks:net.send host:collector.example snake')
  await page.keyboard.press('Enter')
  await expect(titles(page)).toHaveText([/Snake/])
  await page.reload()
  await expect(field(page)).toHaveValue('snake lacks:net.send host:collector.example')
  await field(page).fill('uses:collector')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/search=uses%3Acollector$/)
  await expect(chips(page)).toContainText('“uses:collector”')
})

test('toggles filter by behavior with live counts, by keyboard', async ({ page }) => {
  const { total } = await readTotals(page, 'host=collector.example&sends_no_data=true')
  expect(total).toBe(1)
  await open(page, '/scripts?host=collector.example')
  const toggle = page.getByRole('checkbox', { name: /Sends no data/ })
  await expect(toggle).toHaveAccessibleName('Sends no data 1 script')
  await toggle.focus()
  await page.keyboard.press('Space')
  await expect(page.getByText('1 script matches')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/sends_no_data=true&host=collector\.example$/)
  await expect(titles(page)).toHaveText([/Snake/])
  await expect(toggle).toBeChecked()

  const more = page.getByRole('button', { name: 'All behaviors' })
  await more.focus()
  await page.keyboard.press('Enter')
  const behaviors = page.getByRole('list', { name: 'All behaviors' })
  await expect(behaviors.getByRole('listitem')).toHaveCount(27)
  await expectAccessible(page)
  await behaviors.getByRole('link', { name: /^Downloads data from the internet/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/uses=net\.get/)
  await expect(chips(page)).toContainText('Downloads data from the internet')
  await expect(behaviors.locator('[aria-current=true]')).toContainText('uses:net.get')
})

const readTotals = async (page: Page, query: string) =>
  (await (await page.request.get(`/api/script-facets?${query}`)).json()) as { total: number }

test('an unknown behavior in the URL is left out, and an unknown host has no scripts', async ({ page }) => {
  await open(page, '/scripts?uses=net.everything&host=nowhere.example')
  await expect(chips(page).getByRole('listitem')).toHaveCount(2)
  await expect(page.getByText('No scripts found')).toBeVisible()
  await page.getByRole('link', { name: 'Clear search' }).click()
  await expect(page).toHaveURL(/\/scripts$/)
})

test.describe('on phones', () => {
  test.use(PHONE)

  test('the sheet closes when a behavior was chosen', async ({ page }) => {
    await open(page, '/scripts?host=a-host-with-a-very-long-name-that-does-not-fit.collector.example,collector.example')
    await expectNoOverflow(page)
    await page.getByRole('button', { name: 'More Filters' }).click()
    await page.getByRole('button', { name: 'All behaviors' }).click()
    const sheet = page.getByRole('dialog', { name: 'Filters' })
    await expect(sheet.getByRole('link', { name: /^Sends data to the internet/ })).toBeVisible()
    await expectAccessible(page)
    await sheet.getByRole('link', { name: /^Sends data to the internet/ }).click()
    await expect(sheet).toBeHidden()
    await expect(page).toHaveURL(/uses=net\.send/)
    await expectNoOverflow(page)
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the search box and the toggles filter by behavior', async ({ page }) => {
    await page.goto('/scripts')
    await field(page).fill('host:collector.example')
    await page.getByRole('checkbox', { name: /Sends no data/ }).check()
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(titles(page)).toHaveText([/Snake/])
    await expect(page.getByRole('button', { name: 'All behaviors' })).toBeHidden()
  })
})
