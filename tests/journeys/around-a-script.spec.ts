import { expect, expectAccessible, expectNoOverflow, findScript, open, test } from './page.ts'

test('similar scripts and more by the author lead to other scripts', async ({ page }) => {
  await open(page, await findScript(page, 'snake'))
  const similar = page.getByRole('region', { name: 'Similar scripts' })
  await expect(similar.getByRole('listitem')).toHaveCount(6)
  await expect(page.getByRole('region', { name: /^More by / }).getByRole('listitem')).not.toHaveCount(0)
  await page.setViewportSize({ width: 360, height: 800 })
  await expectNoOverflow(page)
  await expectAccessible(page)
  const link = similar.getByRole('link').first()
  const title = await link.innerText()
  await link.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  // The component is loaded for this page too, which the server did not render.
  await expect(similar.getByRole('listitem')).not.toHaveCount(0)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('similar scripts are part of the page', async ({ page }) => {
    await page.goto(await findScript(page, 'snake'))
    await expect(page.getByRole('region', { name: 'Similar scripts' }).getByRole('link')).toHaveCount(6)
  })
})
