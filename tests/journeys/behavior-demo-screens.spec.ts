import { expect, expectAccessible, expectNoOverflow, findScript, open, type Page, test, onEachDevice } from './page.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Code check' })

onEachDevice(() => {
  test('visitors see what a demo script does and what its author did not declare', async ({ page }) => {
    await open(page, await findScript(page, 'lobby clock'))
    await expect(card(page)).toContainText('Sends your name, user ID and server to discord.com')
    await expect(card(page)).toContainText('Not declared')
    await expect(card(page)).toContainText('Needs an executor')
    await expectNoOverflow(page)
    await expectAccessible(page)
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('the card of a demo script is complete, and its evidence opens', async ({ page }) => {
      await page.goto(await findScript(page, 'lobby clock'))
      const finding = card(page).getByRole('listitem').filter({ hasText: 'Sends your name' })
      await finding.getByRole('group').locator('summary').click()
      await expect(finding).toContainText('request({')
      await expectNoOverflow(page)
    })
  })
})
