import { callApi, openAs } from './members.ts'
import { expect, type Page, test } from './page.ts'
import { unique } from './portal.ts'

/** Records all titles and headings of the pages that are opened from now on, whether they are visible or not. */
async function recordHeadings(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(globalThis, { seen })
    const look = () => {
      for (const { textContent } of document.querySelectorAll('h1, h2, title')) seen.add(textContent)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  return () => page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen].join('\n'))
}

async function delaySession(page: Page): Promise<void> {
  await page.route('**/api/user-profile', async (route) => {
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)))
    await route.continue()
  })
}

const create = async <T>(page: Page, path: string, body: object): Promise<T> =>
  JSON.parse((await callApi(page, 'POST', path, body)).text) as T

test('an author opens what is private without seeing that it is missing', async ({ page, signInAs }) => {
  await openAs(page, 'Someone new', '/')
  const title = unique('Hidden lamp')
  const ids: (string | undefined)[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') ids.push(request.headers()['user-id'])
  })
  const values = { title, description: 'A script.', script_content: 'print(1)', is_public: false }
  const { script } = await create<{ script: { slug: string } }>(page, '/api/scripts', values)
  const shelf = { name: unique('Hidden shelf'), description: null, is_public: false }
  const { collection } = await create<{ collection: { slug: string } }>(page, '/api/collections', shelf)
  const me = JSON.parse((await callApi(page, 'GET', '/api/user-profile')).text) as { id: number; slug: string }
  const privacy = { user_id: me.id, privacy_settings: { profile_visibility: 'private' } }
  expect((await callApi(page, 'PUT', '/api/user-profiles', privacy)).status).toBe(200)

  const readHeadings = await recordHeadings(page)
  await delaySession(page)
  for (const path of [`/collections/${collection.slug}`, `/scripts/${script.slug}/edit`, `/scripts/${script.slug}`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/Hidden (lamp|shelf)/)
    expect(await readHeadings()).not.toContain('Not Found')
  }
  await page.goto(`/profile/${me.slug}`)
  await expect(page.getByRole('heading', { name: 'Quick Stats' })).toBeVisible()
  await page.goto(`/scripts/${script.slug}`)
  const downloaded = page.waitForEvent('download')
  await page.getByRole('main').locator('header').getByRole('button', { name: 'Download' }).click()
  expect((await downloaded).suggestedFilename()).toBe(`${script.slug}.luau`)
  await page.getByRole('group', { name: 'Your script' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete script' }).click()
  await expect(page).toHaveURL(/\/scripts$/)
  expect(ids).toContain(String(me.id))
  const stranger = await signInAs('lin', `/scripts/${script.slug}`)
  await expect(stranger.getByRole('heading', { name: 'Script Not Found' })).toBeVisible()
})

test('visitors and pages without JavaScript say that a script is missing', async ({ page }) => {
  for (const path of ['/scripts/none-999999', '/scripts/none-999999/edit']) {
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1, name: 'Script Not Found' })).toBeVisible()
    await expect(page).toHaveTitle(/^Script Not Found/)
  }
  expect(await (await page.request.get('/scripts/none-999999')).text()).toMatch(
    /<noscript><h1[^>]*>Script Not Found<\/h1><\/noscript>/,
  )
})
