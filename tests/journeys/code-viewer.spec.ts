import { expect, expectAccessible, expectNoOverflow, findScript, open, test, type Page, PHONE } from './page.ts'
import { arriveAsNewcomer, publishScript } from './publishing.ts'

const viewer = (page: Page) => page.getByRole('region', { name: 'Code viewer' })
const code = (page: Page) => page.getByLabel(/^Code of /)
const lineNumber = (page: Page, line: number) =>
  viewer(page)
    .locator('.cm-lineNumbers .cm-gutterElement')
    .filter({ hasText: new RegExp(`^${line}$`), visible: true })
const marked = (page: Page) => viewer(page).locator('.viewer-line')

test('the whole code is read, searched and linked to by lines', async ({ page }) => {
  const path = await findScript(page, 'signal')
  await open(page, path)
  await page.getByRole('button', { name: /^Show all \d+ lines$/ }).click()
  await expect(code(page)).toContainText('Signal: a small, typed event')

  await lineNumber(page, 4).click()
  await lineNumber(page, 6).click({ modifiers: ['Shift'] })
  await expect(page).toHaveURL(/#L4-L6$/)
  await expect(marked(page)).toHaveCount(3)
  await page.reload()
  await expect(marked(page)).toHaveCount(3)
  await expect(marked(page).first()).toBeInViewport()

  await code(page).focus()
  await page.keyboard.press('Control+f')
  const box = page.getByRole('searchbox', { name: 'Find in code' })
  await box.fill('DISCONNECTALL')
  const count = viewer(page).getByRole('search').getByRole('status')
  await expect(count).toHaveText(/^1 of [2-9]$/)
  await page.keyboard.press('Enter')
  await expect(count).toHaveText(/^2 of/)
  await page.keyboard.press('Shift+Enter')
  await expect(count).toHaveText(/^1 of/)
  await expect(viewer(page).locator('.viewer-current')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(box).toHaveCount(0)
  await expect(code(page)).toBeFocused()

  await page.getByLabel('Link to line').fill('90-92')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#L90-L92$/)
  await expect(marked(page).first()).toBeInViewport()
})

test('minified code can be formatted, and a failed load repeated', async ({ page }) => {
  await arriveAsNewcomer(page)
  const script_content = `local a="${'x'.repeat(3000)}" for i=1,2 do print(a,i)end\r\nreturn a`
  await page.goto(await publishScript(page, { title: 'Minified clock', script_content }))
  const isDetails = (url: URL) => url.pathname === '/api/script-details-slug'
  await page.route(isDetails, (route) => route.abort())
  await page.getByRole('button', { name: 'Show all 2 lines' }).click()
  await expect(page.getByText("Couldn't load the code.")).toBeVisible()
  await page.unroute(isDetails)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(viewer(page).locator('.cm-line')).toHaveCount(2)
  await viewer(page).getByLabel('Wrap lines').check()
  await viewer(page).getByText('Formatted').click()
  await expect(viewer(page).locator('.cm-line')).toHaveText([
    /^local a = "x+"$/,
    'for i = 1, 2 do',
    /print\(a, i\)/,
    'end',
    'return a',
    '',
  ])
  await viewer(page).getByText('Original').click()
  await expect(viewer(page).locator('.cm-line')).toHaveCount(2)
})

test.describe('on a phone', () => {
  test.use(PHONE)

  test('a link to lines opens the code there', async ({ page }) => {
    await open(page, `${await findScript(page, 'signal')}#L40`)
    await expect(marked(page)).toBeInViewport()
    await expectNoOverflow(page)
    await expectAccessible(page)
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a link leads to the whole code', async ({ page }) => {
    await page.goto(await findScript(page, 'signal'))
    const link = page.getByRole('link', { name: 'Show the whole code' })
    await expect(link).toBeVisible()
    expect(await (await page.request.get((await link.getAttribute('href')) ?? '')).text()).toContain('return Signal')
  })
})
