import type { Locator } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow, findScript, onEachDevice, open, type Page, test } from './page.ts'

const SENTENCE = 'Sends your name, user ID and server to discord.com.'
const banner = (page: Page) => page.getByRole('region', { name: 'Warning' })
/** In the header, or in the bar at the bottom of a phone. */
const copyButton = (page: Page): Locator =>
  page
    .getByRole('button', { name: /^Copy( script)?$/ })
    .filter({ visible: true })
    .first()
const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** The test's page in dark, light and forced colors. */
async function expectAccessibleInAllColors(page: Page): Promise<void> {
  for (const media of [{ colorScheme: 'dark' }, { colorScheme: 'light' }, { forcedColors: 'active' }] as const) {
    await page.emulateMedia(media)
    await expectAccessible(page)
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null })
}

onEachDevice(() => {
  test('a list warns of a script before it is opened, and its page before it is copied', async ({ page }) => {
    await test.step('the card', async () => {
      await open(page, '/?search=lobby+clock')
      const card = page.getByRole('article').filter({ hasText: 'Lobby Clock' })
      await expect(card.getByRole('list', { name: 'Warnings' })).toHaveText('Sends data about you')
      await expectNoOverflow(page)
      await expectAccessibleInAllColors(page)
      await card.getByRole('heading').getByRole('link').click()
    })
    await test.step('the banner', async () => {
      await expect(banner(page)).toBeInViewport()
      await expect(banner(page)).toContainText(SENTENCE)
      await expect(banner(page)).toContainText('The author did not say so.')
      await expectNoOverflow(page)
      await expectAccessibleInAllColors(page)
    })
    await test.step('copying asks once', async () => {
      await page.evaluate(() => navigator.clipboard.writeText('nothing'))
      await copyButton(page).click()
      const dialog = page.getByRole('alertdialog', { name: 'Copy this script?' })
      await expect(dialog).toContainText(SENTENCE)
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      expect(await readClipboard(page)).toBe('nothing')
      await copyButton(page).click()
      await dialog.getByRole('button', { name: 'Copy anyway' }).click()
      await expect(dialog).toBeHidden()
      expect(await readClipboard(page)).toContain('request({')
      await page.evaluate(() => navigator.clipboard.writeText('nothing'))
      await page.reload()
      await copyButton(page).click()
      await expect(page.getByText('Copied!').filter({ visible: true }).first()).toBeVisible()
      expect(await readClipboard(page)).toContain('request({')
    })
    await test.step('the line', async () => {
      await banner(page)
        .getByRole('link', { name: /^Line \d+$/ })
        .click()
      await expect(page).toHaveURL(/#L\d+$/)
      await expect(page.getByLabel(/^Code of /)).toBeFocused()
    })
  })
})

test('a script without a serious finding has one quiet line', async ({ page }) => {
  await open(page, await findScript(page, 'signal'))
  await expect(page.getByRole('link', { name: /^Code check: / })).toBeInViewport()
  await expect(banner(page)).toHaveCount(0)
  await copyButton(page).click()
  await expect(page.getByText('Copied!').first()).toBeVisible()
})

test('suggestions warn of a script', async ({ page }) => {
  await open(page, '/giveaways')
  await page.getByRole('combobox').or(page.getByRole('searchbox')).first().fill('lobby clo')
  await expect(page.getByRole('option', { name: /Lobby Clock/ })).toContainText('Sends data about you')
})
