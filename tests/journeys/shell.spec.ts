import { choosePerson } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, findScript, onEachDevice, open, test } from './page.ts'

test('a script can be found and opened by keyboard', async ({ page }) => {
  await open(page, '/')
  await page.keyboard.press('/')
  await page.keyboard.type('snake')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/search=snake/)
  const link = page.getByRole('article').first().getByRole('heading').getByRole('link')
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab')
    if (await link.evaluate((element) => element === document.activeElement)) break
  }
  await expect(link).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Snake')
})

onEachDevice(() => {
  test('keys list the shortcuts, copy a script and add it to the favorites', async ({ page }) => {
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    const question = page.getByRole('alertdialog', { name: 'Copy this script?' })
    const path = await findScript(page, 'lobby clock')
    await open(page, path)
    await test.step('a key asks the question of the button, and does nothing while it is open', async () => {
      await page.keyboard.press('c')
      await expect(question).toBeVisible()
      await page.keyboard.press('?')
      await question.getByRole('button', { name: 'Copy anyway' }).click()
      await expect(question).toBeHidden()
      await expect(help).toHaveCount(0)
      expect(await clipboard()).toContain('request({')
    })
    await page.evaluate(() => navigator.clipboard.writeText('nothing'))
    await test.step('single keys can be turned off', async () => {
      await page.keyboard.press('?')
      await expect(help).toContainText('Copy the script')
      await expectNoOverflow(page)
      await expectAccessible(page)
      await help.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.keyboard.press('c')
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('combobox', { name: 'Search the site' })).toBeFocused()
      await expect(help).toHaveCount(0)
      expect(await clipboard()).toBe('nothing')
      await page.evaluate(() => localStorage.removeItem('single_keys'))
    })
    await test.step('letters that are typed, and those with a modifier, are no shortcuts', async () => {
      await page.keyboard.type('cf?')
      await expect(page.getByRole('combobox', { name: 'Search the site' })).toHaveValue('cf?')
      await page.locator('main').focus()
      await page.keyboard.press('Shift+c')
      await page.keyboard.press('Control+c')
      expect(await clipboard()).toBe('nothing')
      await page.keyboard.press('c')
      await expect(page.getByText('Copied!').filter({ visible: true }).first()).toBeVisible()
      expect(await clipboard()).toContain('request({')
    })
    await test.step('a visitor signs in, and the script is a favorite then', async () => {
      await page.keyboard.press('f')
      await choosePerson(page, 'Someone new')
      await expect(page).toHaveURL(path)
      await expect(page.getByRole('button', { name: /^Favorited/ })).toBeVisible()
      await page.keyboard.press('f')
      await expect(page.getByRole('button', { name: /^Favorite / })).toBeVisible()
    })
  })
})

const TEXTS = [
  ['Privacy Policy', 'We do not knowingly collect data from children under 13'],
  ['Terms of Service', 'You must be at least 18 years old'],
] as const

test('the first Tab focuses the skip link, and texts of the footer open as dialogs', async ({ page }) => {
  await open(page, '/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()

  // The footer becomes interactive after the page. Until then, the link opens the text as a page.
  await page.waitForLoadState('networkidle')
  for (const [name, sentence] of TEXTS) {
    await test.step(`${name} opens as a dialog, closes with Escape and returns the focus`, async () => {
      const link = page.getByRole('contentinfo').getByRole('link', { name })
      await link.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name })
      await expect(dialog.getByText(sentence)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(link).toBeFocused()
    })
  }
  await test.step('a link whose dialog cannot be loaded opens the page with the text', async () => {
    await page.reload({ waitUntil: 'networkidle' })
    await page.route('**/legal-dialog*', (route) => route.abort())
    await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
    await expect(page).toHaveURL('/privacy')
  })
})

test('a link to a text whose dialog cannot be loaded opens the page', async ({ page }) => {
  await open(page, '/')
  // The footer becomes interactive after the page.
  await page.waitForLoadState('networkidle')
  await page.route('**/legal-dialog*', (route) => route.abort())
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' })
  const failed = page.waitForEvent('requestfailed')
  await link.hover()
  await failed
  await link.click()
  await page.waitForURL('/privacy')
})

test('the chosen theme applies before the first paint, and "System" follows the system', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, '/')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const dark = await background()
  const chooseTheme = async (name: string) => {
    await page.getByRole('banner').getByRole('button', { name: 'Theme' }).click()
    await page.getByRole('menuitemradio', { name }).click()
  }
  await chooseTheme('Light')
  const light = await background()
  expect(light).not.toBe(dark)
  await page.goto('/terms', { waitUntil: 'commit' })
  await page.waitForSelector('footer')
  expect(await background()).toBe(light)

  await page.getByRole('banner').getByRole('button', { name: 'Theme' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeFocused()
  await expect(page.getByRole('menuitemradio', { checked: true })).toHaveText('Light')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Theme' })).toBeFocused()
  expect(await background()).toBe(dark)
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await background()).toBe(light)
  await chooseTheme('Dark')
  expect(await background()).toBe(dark)
})

test('a menu that opens late does not take the focus from an item that already has it', async ({ page }) => {
  await open(page, '/')
  // The menu is loaded when it is first opened.
  await page.getByRole('button', { name: 'Theme' }).click()
  const item = page.getByRole('menuitemradio', { name: 'Dark', includeHidden: true })
  await expect(item).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(item).toBeHidden()
  await item.evaluate(async (element: HTMLElement) => {
    const menu = element.closest<HTMLElement>('[popover]')
    const toggled = new Promise((resolve) => menu?.addEventListener('toggle', resolve, { once: true }))
    document.querySelector<HTMLElement>(`[popovertarget="${menu?.id}"]`)?.click()
    element.focus()
    await toggled
  })
  await expect(item).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeFocused()
})

test('the menus of the header fit on a phone', async ({ signInAs }) => {
  const member = await signInAs('lin', '/')
  await member.setViewportSize({ width: 360, height: 780 })
  for (const name of ['Theme', /^Account of/]) {
    await member.getByRole('button', { name }).click()
    const box = await member.getByRole('menu', { name }).boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
    await member.keyboard.press('Escape')
  }
})

test('an unknown URL shows a 404 page', async ({ page }) => {
  const response = await page.goto('/nothing/here')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('/discord shows that there is no chat yet', async ({ page }) => {
  await open(page, '/discord')
  await expect(page.getByRole('heading', { name: 'No chat yet' })).toBeVisible()
})

test('pages have titles and metadata for search engines and previews', async ({ page }) => {
  await page.goto('/?page=2&utm_source=x')
  const content = (selector: string) => page.locator(selector).first().getAttribute('content')
  await expect(page).toHaveTitle(/Scriptyard/)
  expect(await content('meta[property="og:image"]')).toMatch(/^http.*\/og-image\.png$/)
  expect(await content('meta[name="theme-color"]')).toBe('#8b5cf6')
  expect((await page.request.get('/og-image.png')).headers()['content-type']).toBe('image/png')
  await expect(page.locator('link[rel=canonical]')).toHaveCount(1)
})
