import type { Locator } from '@playwright/test'
import { openAs } from './members.ts'
import { expect, expectAccessible, findScript, open, type Page, test } from './page.ts'
import { openPortal } from './portal.ts'

/** What tells an element from its surroundings in forced colors. */
const readLook = (element: Locator) =>
  element.evaluate((node) => {
    const { backgroundColor, borderBottomColor, borderBottomStyle, outlineStyle } = getComputedStyle(node)
    const { backgroundColor: page } = getComputedStyle(document.body)
    const isFilled = backgroundColor !== 'rgba(0, 0, 0, 0)' && backgroundColor !== page
    const isFramed = outlineStyle !== 'none' || (borderBottomStyle !== 'none' && borderBottomColor !== page)
    return { isFilled, isFramed }
  })

const expectFilled = (element: Locator) => expect.poll(async () => (await readLook(element)).isFilled).toBe(true)
const expectFramed = (element: Locator) => expect.poll(async () => (await readLook(element)).isFramed).toBe(true)

/** Expects that exactly one of these elements is marked as current, by a fill that the others do not have. */
async function expectOneFilled(elements: Locator, current: Locator): Promise<void> {
  await expectFilled(current)
  const countFilled = async () => {
    const looks = await Promise.all((await elements.all()).map(readLook))
    return looks.filter(({ isFilled }) => isFilled).length
  }
  await expect.poll(countFilled).toBe(1)
}

async function forceColors(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' })
}

test('in forced colors, the current page, filled buttons, badges and stars can be told apart', async ({ page }) => {
  await forceColors(page)
  await open(page, '/popular')
  const links = page.getByRole('banner').getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expectOneFilled(links, links.and(page.locator('[aria-current=page]')))
  await expectFilled(page.getByRole('banner').getByRole('button', { name: /Login/ }))
  await expectFilled(page.getByRole('main').getByRole('button', { name: 'Search' }))
  const card = page.getByRole('main').getByRole('article').first()
  await expectFilled(card.getByText('Top Rated'))
  await expectFramed(card.getByRole('list', { name: 'Tags' }).getByRole('link').first())
  await expectAccessible(page)

  await open(page, await findScript(page, 'signal'))
  const sections = page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
  await expectOneFilled(sections, sections.filter({ hasText: 'Overview' }))
  await sections.filter({ hasText: 'Ratings' }).click()
  await expectOneFilled(sections, page.locator('[aria-label=Sections] [aria-current]'))
  await expectFilled(page.getByRole('main').getByRole('button', { name: 'Copy script' }).first())
  await expectFramed(page.getByText('Universal', { exact: true }).first())
  const stars = page.locator('#ratings svg .fill-surface-3').first()
  expect(await stars.evaluate((element) => getComputedStyle(element).stroke), 'empty stars have an outline').not.toBe(
    'none',
  )
  await expectAccessible(page)

  await page.getByRole('button', { name: /^All \d+ versions/ }).click()
  await expect(page.getByRole('region', { name: 'Differences' })).toBeVisible()
  await expectAccessible(page)
})

test('in forced colors, tabs, rows, checkboxes, switches, pressed buttons and charts of staff can be told apart', async ({
  page,
}) => {
  await openPortal(page)
  await forceColors(page)
  const tabs = page.getByRole('tablist', { name: 'Admin portal' }).getByRole('tab')
  await expectOneFilled(tabs, tabs.filter({ hasText: 'Dashboard' }))
  await expectFilled(page.getByRole('button', { name: '30 days', pressed: true }))
  const bars = page.locator('svg .fill-accent').first()
  const [fill, text] = await bars.evaluate((element) => [
    getComputedStyle(element).fill,
    getComputedStyle(element.closest('figure') ?? element).color,
  ])
  expect(fill, 'bars have the color of text').toBe(text)
  await expectAccessible(page)

  await page.goto('/admin/users')
  const row = page.getByRole('row').filter({ hasText: 'VOLT' })
  await row.getByRole('checkbox').check()
  await expectFilled(row.getByRole('checkbox'))
  await expect(row).toHaveCSS('outline-style', 'solid')
  await expectFramed(row.getByText('Muted'))
  await expectAccessible(page)
})

test('in forced colors, the switches of settings and the focus can be seen', async ({ page }) => {
  await openAs(page, 'ada_builds', '/profile/settings?tab=privacy')
  await forceColors(page)
  const on = page.getByRole('switch', { checked: true }).first()
  await expectFilled(on.locator('+ span'))
  await on.focus()
  await page.keyboard.press('Tab')
  const focused = page.locator(':focus')
  await expect(focused).toHaveCSS('outline-style', 'solid')
  await expectAccessible(page)
})
