import { callApi, loginButton } from './members.ts'
import { delayRequests, expect, findScript, measureLayoutShift, open, type Page, test } from './page.ts'
import { findHtmlFaults } from '#tests/support/stable-html.ts'

/** What content delivery networks, translators and extensions do to the HTML before React hydrates it. */
const CHANGES: Record<string, (html: string) => string> = {
  'removes comments': (html) => html.replaceAll(/<!--.*?-->/gs, ''),
  'adds whitespace': (html) =>
    html.replaceAll(/(<\/?(?:div|section|ul|li|p|main|header|nav|body|head)\b[^>]*>)/g, '\n  $1\n  '),
  'changes a word': (html) => html.replace(/(<main\b[^]*?>)([A-Z][a-z]+ )/, '$1Changed '),
  'wraps text': (html) =>
    changeBody(html, (body) => body.replaceAll(/>([^<>{}]*[a-z][^<>{}]*)</g, '><font><font>$1</font></font><')),
  'adds elements': (html) =>
    html
      .replace('<head>', '<head><link rel="author" href="/added"><meta name="added" content="1">')
      .replace(/<body[^>]*>/, '$&<div id="added"><p>Added</p></div>')
      .replace('<main', '<div class="added">Added</div><main'),
  'obfuscates addresses': (html) =>
    changeBody(html, (body) =>
      body.replaceAll(/(<\/h[1-3]>)/g, '<span class="__cf_email__" data-cfemail="1">[email]</span>$1'),
    ),
  'reorders attributes': (html) =>
    html
      .replaceAll(/<([a-z]+) ([\w-]+="[^"]*") ([\w-]+="[^"]*")/g, '<$1 $3 $2')
      .replace('<html ', '<html data-extension="1" '),
  'adds a script': (html) => html.replace('</body>', '<script type="text/added"></script></body>'),
}

/** Changes the elements of <body> but not the data after them. */
function changeBody(html: string, change: (body: string) => string): string {
  const start = html.indexOf('<body')
  const end = html.indexOf('<script type="application/')
  return html.slice(0, start) + change(html.slice(start, end)) + html.slice(end)
}

/** Changes the HTML of all pages on its way to the browser. */
async function changeHtml(page: Page, change: (html: string) => string): Promise<void> {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch({ maxRetries: 3 })
    return route.fulfill({ response, body: change(await response.text()) })
  })
}

const SCRIPT = 'settings menu'
const PATHS = '/popular /showcases /giveaways /upload /profile/settings /profile/okapi /admin /api/docs /terms /nowhere'

const banner = (page: Page) => page.getByRole('banner')
const searchField = (page: Page) => page.locator('#site-search')
const html = (page: Page) => page.locator('html')

/** Expects that a page is complete and that React has taken it over. */
async function expectUsable(page: Page): Promise<void> {
  await expect(page.locator('main').getByRole('heading').first()).toBeVisible()
  await expect(page).toHaveTitle(/\S/)
  await expect(html(page)).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('head link[rel=stylesheet][href^="/assets/"]').first()).toBeAttached()
  await expect(page.getByText('Something went wrong')).toHaveCount(0)
  await banner(page).getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await expect(html(page)).toHaveAttribute('data-theme', 'light')
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
}

for (const [name, change] of Object.entries(CHANGES)) {
  test(`pages work behind a proxy that ${name}`, async ({ page }) => {
    const script = await findScript(page, SCRIPT)
    await changeHtml(page, change)
    await page.evaluate(() => localStorage.setItem('theme', 'dark'))

    await open(page, '/')
    await expectUsable(page)
    await open(page, script)
    await expectUsable(page)
    await searchField(page).fill('cam')
    await expect(page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /^Copy( script)?/ })
      .first()
      .click()
    await expect(page.getByText(/Copied/).first()).toBeVisible()
    await loginButton(page).click()
    await expect(page).toHaveURL(/authorize/)
  })
}

for (const name of ['removes comments', 'adds whitespace']) {
  test(`every page is complete behind a proxy that ${name}`, async ({ page }) => {
    await changeHtml(page, CHANGES[name] ?? String)
    await page.evaluate(() => localStorage.setItem('theme', 'dark'))
    for (const path of PATHS.split(' ')) {
      await open(page, path)
      await expectUsable(page)
      expect(await measureLayoutShift(page), path).toBeLessThan(0.15)
    }
  })
}

test('what a visitor does before React replaces a page stays, and the log gets the name of the page only', async ({
  page,
}) => {
  await changeHtml(page, (text) =>
    (CHANGES['removes comments'] ?? String)(text).replace('<html ', '<html data-extension="1" '),
  )
  const release = await delayRequests(page, '**/assets/entry.client-*')
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  await page.goto('/', { waitUntil: 'commit' })
  const search = searchField(page)
  await search.fill('half a word')
  await search.evaluate((field: HTMLInputElement) => field.setSelectionRange(2, 4))
  await page.waitForSelector('main ~ footer')
  await page.evaluate(() => scrollTo(0, 300))
  expect(await page.evaluate(() => scrollY)).toBe(300)
  const reported = page.waitForRequest('**/api/page-errors')
  release()

  const report = await reported
  expect(report.postDataJSON()).toEqual({
    page: 'web/features/browse/browse-page.tsx',
    build: expect.stringMatching(/^entry\.client-[\w-]+\.js$/),
    kind: expect.stringMatching(/^(text|elements)$/),
  })
  const headers = await report.allHeaders()
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['referer']))
  expect(headers['cookie'] ?? headers['authorization']).toBeUndefined()
  await expect(search).toHaveValue('half a word')
  await expect(search).toBeFocused()
  expect(await search.evaluate((field: HTMLInputElement) => [field.selectionStart, field.selectionEnd])).toEqual([2, 4])
  expect(await page.evaluate(() => scrollY)).toBe(300)
  await expect(html(page)).toHaveAttribute('data-theme', 'dark')
  await expect(html(page)).toHaveAttribute('data-extension', '1')
})

test("a page that React cannot render at all keeps the server's HTML", async ({ page, pageErrors }) => {
  await changeHtml(page, (text) => text.replace('"root":{"site":', '"root":{"other":'))
  await page.goto('/popular')
  await expect.poll(() => pageErrors.length).toBeGreaterThan(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await banner(page).getByRole('link', { name: 'Showcases' }).first().click()
  await expect(page).toHaveURL(/\/showcases$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(pageErrors.join('')).not.toContain('Content Security Policy')
  pageErrors.length = 0
})

/** Translates a page as browsers do: by new elements around its texts, or in their place. */
const translate = (page: Page, mode: 'wrap' | 'replace') =>
  page.evaluate((how) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest('script, textarea')) continue
      const font = document.createElement('font')
      text.replaceWith(font)
      font.append(how === 'wrap' ? text : text.data)
    }
  }, mode)

for (const mode of ['wrap', 'replace'] as const) {
  test(`a translated page keeps working: ${mode}`, async ({ page }) => {
    await open(page, '/')
    await translate(page, mode)
    await page.getByRole('button', { name: /More Filters/ }).click()
    await translate(page, mode)
    await page.getByRole('article').first().getByRole('heading').getByRole('link').click()
    await expect(page).toHaveURL(/\/scripts\/./)
    await expect(page.getByRole('region', { name: 'Overview' })).toBeVisible()
    await translate(page, mode)
    await page
      .getByRole('button', { name: /^Copy( script)?/ })
      .first()
      .click()
    await translate(page, mode)
    await searchField(page).fill('cam')
    await expect(page.getByRole('option').first()).toBeVisible()
    await translate(page, mode)
    await searchField(page).fill('menu')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/search=menu/)
    await translate(page, mode)
    await page.goBack()
    await page.goBack()
    await expect(page.getByRole('article').first()).toBeVisible()
    await expect(page.getByText('Something went wrong')).toHaveCount(0)
  })
}

test('browsers build all pages as they were written, without controls inside of others', async ({ page, signInAs }) => {
  const author = await signInAs('marlow')
  const description = '[![Doors](https://i.example/a.png)](https://d.example) and more'
  const { text } = await callApi(author, 'POST', '/api/scripts', {
    title: 'Linked image',
    description,
    script_content: 'x()',
  })
  const { slug } = (JSON.parse(text) as { script: { slug: string } }).script
  const script = `/scripts/${slug}`
  for (const path of ['/', '/?page=2', script, await findScript(page, SCRIPT), ...PATHS.split(' ')]) {
    const response = await page.request.get(path)
    expect(findHtmlFaults(await response.text()), path).toEqual([])
  }
  await open(page, script)
  const link = page.getByRole('region', { name: 'Overview' }).getByRole('link', { name: 'Doors' })
  await expect(link).toHaveAttribute('href', 'https://d.example/')
})
