import { loginButton } from './members.ts'
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  findScript,
  onEachDevice,
  open,
  type Page,
  PHONE,
  test,
} from './page.ts'

const field = (page: Page) => page.getByRole('banner').getByRole('combobox')
const options = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
const selected = (page: Page) => page.getByRole('option', { selected: true })

test('every page searches by keyboard: suggestions, all results by relevance, recent searches', async ({ page }) => {
  await open(page, '/giveaways')
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.type('camera')
  await expect(options(page).filter({ hasText: 'Orbit Camera' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Tags' }).getByRole('option')).toHaveText(/camera\s*\d+/)
  await expectAccessible(page)
  await page.keyboard.press('ArrowUp')
  await expect(selected(page)).toHaveText('camera')
  await page.keyboard.press('ArrowDown')
  await expect(selected(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/scripts\?sort=relevance&search=camera$/)
  await expect(page.getByRole('article').first()).toContainText('Camera')

  await open(page, await findScript(page, 'snake'))
  await page.keyboard.press('/')
  await expect(options(page)).toHaveText(['camera'])
  await page.getByRole('button', { name: 'Clear recent searches' }).click()
  await expect(options(page)).toHaveCount(0)
  await page.keyboard.type('lin w')
  const author = page.getByRole('group', { name: 'Authors' }).getByRole('option')
  await expect(author).toHaveText(/Lin Wei$/)
  await page.keyboard.press('Escape')
  await expect(options(page)).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await expect(author).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/profile\/lin$/)
  await expect(field(page)).toHaveValue('')
  await expect(page.locator('#main')).toBeFocused()
})

onEachDevice(() => {
  test('the field leads to pages, and runs actions', async ({ page, signInAs }) => {
    const commands = (on: Page) => on.getByRole('group', { name: 'Pages and actions' }).getByRole('option')
    await open(page, '/terms')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('theme')
    await expect(commands(page)).toHaveText(['Switch to the light theme', 'Switch to the dark theme'])
    await expectNoOverflow(page)
    await expectAccessible(page)
    await page.keyboard.press('ArrowUp')
    await expect(selected(page)).toHaveText('Switch to the dark theme')
    await page.keyboard.press('Enter')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(field(page)).toHaveValue('')
    await page.keyboard.press('/')
    await page.keyboard.type('keyb')
    await commands(page).click()
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('popu')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/popular')

    const member = await signInAs('Someone new', '/terms')
    await member.keyboard.press('Control+k')
    await member.keyboard.type('follow')
    await expect(commands(member)).toHaveAttribute('href', '/following')
    await field(member).fill('log out')
    await commands(member).click()
    await expect(loginButton(member)).toBeEnabled()
  })
})

test('a search that the network loses still leads to the results', async ({ page }) => {
  await page.route('**/api/search-suggestions?*', (route) => route.abort())
  await open(page, '/terms')
  await page.keyboard.press('/')
  await page.keyboard.type('snake')
  await expect(options(page)).toHaveText(['snake'])
  await options(page).click()
  await expect(page).toHaveURL(/search=snake/)
})

test('a script links back to the list as it was', async ({ page }) => {
  await open(page, '/scripts?search=a&sort=title&free_only=true')
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page.getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
  const list = page.url()
  const card = page.getByRole('article').last()
  await card.scrollIntoViewIfNeeded()
  const scrolled = await page.evaluate(() => scrollY)
  expect(scrolled).toBeGreaterThan(0)
  await card.getByRole('heading').getByRole('link').click()
  await expect(page.getByRole('link', { name: 'Back to list' })).toBeVisible()
  await page.reload()
  await page.getByRole('link', { name: 'Back to list' }).click()
  await expect(page).toHaveURL(list)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(scrolled)
})

test.describe('on phones', () => {
  test.use(PHONE)

  test('an icon opens the search field over the header', async ({ page }) => {
    await open(page, '/popular')
    await page.locator('label[title=Search]').tap()
    await field(page).fill('snake')
    const found = options(page).filter({ hasText: 'Snake' }).first()
    await expect(found).toBeVisible()
    await expectNoOverflow(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Close search' }).tap()
    await expect(options(page)).toHaveCount(0)
    await page.locator('label[title=Search]').tap()
    await field(page).fill('snake')
    await found.tap()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Snake')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the field of the header is a plain form', async ({ page }) => {
    await page.goto('/giveaways')
    const plain = page.getByRole('banner').getByRole('searchbox', { name: 'Search the site' })
    await plain.fill('snake')
    await plain.press('Enter')
    await expect(page).toHaveURL(/\/scripts\?sort=relevance&search=snake$/)
    await expect(page.getByRole('article').first()).toContainText('Snake')
  })
})
