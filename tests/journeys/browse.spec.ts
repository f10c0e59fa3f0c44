import {
  delayRequests,
  expect,
  expectAccessible,
  expectGoodOnEachScreen,
  expectNoOverflow,
  forward,
  measureLayoutShift,
  open,
  PHONE,
  test,
} from './page.ts'

const results = 'article'

test('searches by words and tags, resets, goes back and forward, and reloads', async ({ page }) => {
  await open(page, '/')
  const box = page.getByPlaceholder('Search scripts or #tag...')
  await box.fill('camera #module')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL(/search=camera/)
  await expect(page).toHaveURL(/tags=module/)
  await expect(page.locator(results)).not.toHaveCount(20)
  const found = await page.locator(results).count()
  expect(found).toBeGreaterThan(0)
  await page.reload()
  await expect(box).toHaveValue('camera #module')
  await expect(page.locator(results)).toHaveCount(found)
  await page.getByRole('link', { name: 'Reset' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(box).toHaveValue('')
  await page.goBack()
  await expect(box).toHaveValue('camera #module')
  await page.goForward()
  await expect(box).toHaveValue('')

  const search = async (words: string) => {
    await box.fill(words)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
  }
  await test.step('a search by date offers sorting by relevance', async () => {
    await search('camera')
    await expect(page.getByText('Sorted by date')).toBeVisible()
    await page.getByRole('link', { name: 'Sort by relevance' }).click()
    await expect(page).toHaveURL(/sort=relevance/)
    await expect(page.locator(results).first()).toContainText('Camera')
    await expect(page.getByText('Sorted by date')).toHaveCount(0)
  })
  await test.step('a search without results offers all scripts', async () => {
    await search('qqqqqq')
    await expect(page.getByText('No scripts found')).toBeVisible()
    await page.getByRole('link', { name: 'Clear search' }).click()
    await expect(page.locator(results).first()).toBeVisible()
  })
})

test('Apply Filters applies the filters, and opposite filters exclude each other', async ({ page }) => {
  await open(page, '/')
  await expect(page.getByRole('link', { name: 'Reset' })).toHaveCount(0)
  await page.getByRole('checkbox', { name: /Free Scripts Only/ }).check()
  await page.getByRole('checkbox', { name: /Paid Scripts Only/ }).check()
  await expect(page.getByRole('checkbox', { name: /Free Scripts Only/ })).not.toBeChecked()
  await expect(page).not.toHaveURL(/paid_only/)
  await page.getByRole('button', { name: 'Apply Filters' }).click()
  await expect(page).toHaveURL(/paid_only=true/)
  await expect(page).not.toHaveURL(/free_only/)
  const { pagination } = (await (await page.request.get('/api/scripts?paid_only=true')).json()) as {
    pagination: { total: number }
  }
  await expect(
    page.getByText(new RegExp(`of ${pagination.total} scripts|${pagination.total} scripts`)).first(),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Reset' }).click()
  await expect(page).toHaveURL(/\/$/)

  await test.step('after Back, the panel shows the filters in the URL again', async () => {
    const free = page.getByRole('checkbox', { name: /Free Scripts Only/ })
    await free.check()
    await page.getByRole('button', { name: 'Apply Filters' }).click()
    await expect(page).toHaveURL(/free_only=true/)
    await free.uncheck()
    await page.getByRole('button', { name: 'Apply Filters' }).click()
    await expect(page).not.toHaveURL(/free_only/)
    const answer = await delayRequests(page, '**/api/scripts?*')
    await page.goBack()
    await expect(page).toHaveURL(/free_only=true/)
    // At once, not when the list is loaded.
    await expect(free).toBeChecked()
    answer()
    await page.getByLabel('Sort').selectOption({ label: 'Downloads' })
    await expect(page).toHaveURL(/sort=download_count/)
    await expect(free).toBeChecked()
  })
})

test('the filters are open on a wide screen, without a shift, until they are closed', async ({ page }) => {
  const panel = page.getByRole('dialog', { name: 'Filters' })
  await open(page, '/')
  await expect(panel).toBeVisible()
  await expect(page.locator('body')).toBeFocused()
  expect(await measureLayoutShift(page)).toBeLessThan(0.01)
  const toggle = page.getByRole('button', { name: 'More Filters' })
  await toggle.click()
  await expect(panel).toBeHidden()
  await page.reload()
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect(panel).toBeHidden()
  await toggle.click()
  await page.reload()
  await expect(panel).toBeVisible()
  // A narrow page shows the list, not a sheet over it.
  await page.setViewportSize({ width: 900, height: 900 })
  await expect(panel).toBeHidden()
})

for (const [device, viewport] of [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', PHONE.viewport],
] as const) {
  test(`one click hides scripts that send data on ${device}`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await open(page, '/?search=lobby')
    const clock = page.getByRole('article').filter({ hasText: 'Lobby Clock' })
    await expect(clock).toBeVisible()
    await page.getByRole('link', { name: 'Hide scripts that send data' }).click()
    await expect(page).toHaveURL(/sends_no_data=true/)
    await expect(clock).toHaveCount(0)
    await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Sends no data')
    await expectNoOverflow(page)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Show scripts that send data' }).click()
    await expect(page).not.toHaveURL(/sends_no_data/)
    await expect(clock).toBeVisible()
  })
}

test('cards name their badges', async ({ page }) => {
  await open(page, '/?featured=true')
  const card = page.locator(results).first()
  await expect(card.getByRole('list', { name: 'Badges' }).getByText('Featured')).toBeInViewport()
  await page.goto('/?search=teleport+pads')
  await expect(card.getByRole('list', { name: 'Warnings' })).toHaveText('Not working')
  await expect(card).toContainText('Stand on a pad with your friends and all of you travel to one private server.')
  await expect(card.getByRole('list', { name: 'Stats' })).toContainText(/\d\.\d.*\(\d+\)/)
  await expect(card.getByText(/^Added \d+ \w+ ago$/).filter({ visible: true })).toHaveCount(1)
})

test('the stats of a card stay on one line, and selects show their whole text', async ({ page }) => {
  await page.route('**/api/scripts?*', async (route) => {
    const response = await forward(route)
    const list = (await response.json()) as { scripts: object[] }
    const large = { view_count: 999_900, download_count: 150_100, rating_average: 4.8, rating_count: 9999 }
    await route.fulfill({ response, json: { ...list, scripts: list.scripts.map((card) => ({ ...card, ...large })) } })
  })
  await open(page, '/popular')
  await page.getByLabel('Sort').selectOption('view_count')
  await expect(page.getByRole('article').first()).toContainText('999.9K')
  for (const width of [1440, 1280, 768, 360, 320]) {
    await page.setViewportSize({ width, height: 800 })
    const rows = await page.getByRole('list', { name: 'Stats' }).evaluateAll((lists) =>
      lists.map((list) => ({
        tops: new Set([...list.children].map((item) => item.getBoundingClientRect().top)).size,
        isCut: list.scrollWidth > list.clientWidth,
      })),
    )
    expect(rows.filter(({ tops, isCut }) => tops > 1 || isCut)).toEqual([])
  }
  await open(page, '/?search=camera')
  for (const width of [1440, 900, 768, 720, 640, 360, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoOverflow(page)
    for (const select of await page.getByRole('main').getByRole('combobox').filter({ visible: true }).all()) {
      const missing = await select.evaluate((element) => {
        if (!(element instanceof HTMLSelectElement)) return 0
        const { font, paddingLeft, paddingRight } = getComputedStyle(element)
        const context = document.createElement('canvas').getContext('2d')
        if (!context) return 0
        context.font = font
        const text = context.measureText(element.selectedOptions[0]?.text ?? '').width
        return text + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight) - element.clientWidth
      })
      expect(missing, `at ${width} pixels`).toBeLessThanOrEqual(1)
    }
  }
})

test('page numbers are links', async ({ page }) => {
  await open(page, '/')
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(page.getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(page.getByRole('link', { name: 'Page 1' })).toHaveAttribute('aria-current', 'page')

  await test.step('changing sort or order updates the URL and returns to page 1', async () => {
    await page.goForward()
    await expect(page).toHaveURL(/page=2/)
    await page.getByLabel('Sort').selectOption({ label: 'Downloads' })
    await expect(page).toHaveURL(/sort=download_count/)
    await expect(page).not.toHaveURL(/page=/)
    await page.getByLabel('Order').selectOption({ label: 'Ascending' })
    await expect(page).toHaveURL(/order=asc/)
  })
  await test.step('a list that fails to load shows an error and can be retried', async () => {
    await page.route('**/api/scripts?*', (route) =>
      route.fulfill({ status: 503, json: { error: 'The site is busy right now.', code: 'unavailable' } }),
    )
    await page.getByRole('link', { name: 'Page 2' }).click()
    await expect(page.getByRole('alert').getByText('The site is busy right now.')).toBeVisible()
    await page.unroute('**/api/scripts?*')
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page.locator(results).first()).toBeVisible()
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('search, filters and pagination work as a plain form and links', async ({ page }) => {
    await page.goto('/')
    await page.getByPlaceholder('Search scripts or #tag...').fill('#ui')
    await page.getByRole('checkbox', { name: /Free Scripts Only/ }).check()
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page).toHaveURL(/free_only=true/)
    await expect(page.locator(results).first()).toBeVisible()
  })
})

test('a list is shown as rows, also on the next pages', async ({ page }) => {
  await open(page, '/')
  const card = page.locator(results).first()
  const height = async () => (await card.boundingBox())?.height ?? 0
  const asCard = await height()
  await page.getByRole('button', { name: 'Show as a list' }).click()
  expect(await height()).toBeLessThan(asCard / 2)
  await expectGoodOnEachScreen(page)
  await open(page, '/popular')
  expect(await height()).toBeLessThan(asCard / 2)
  await open(page, '/')
  await page.getByRole('button', { name: 'Show as cards' }).click()
  await expect.poll(height).toBe(asCard)
})
