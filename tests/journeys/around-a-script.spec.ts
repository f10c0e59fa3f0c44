import { openAs } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, findScript, open, test } from './page.ts'

test('visitors share a script and open others, and a member votes that it works', async ({ page }) => {
  const path = await findScript(page, 'snake')
  await open(page, path)
  const panel = page.getByRole('region', { name: 'Does it work?' })
  await expect(panel).toContainText('Works for 7 of 7 this week')
  await expect(panel.getByRole('button', { name: 'Sign in to vote' })).toBeVisible()

  await test.step('the link of a script is copied in the format of a forum', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Watch' })).toBeFocused()
    await page.getByRole('menuitem', { name: 'Copy Markdown link' }).click()
    await expect(page.getByText('Link copied')).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^\[Snake for waiting rooms\]\(http.+\/scripts\/snake-for-waiting-rooms-\d+\)$/)
  })
  await test.step('similar scripts and more by the author lead to other scripts', async () => {
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

  await page.setViewportSize({ width: 1440, height: 900 })
  await openAs(page, 'lin', path)
  const votes = page.getByRole('region', { name: 'Does it work?' })
  await votes.getByRole('button', { name: "Doesn't work" }).click()
  await expect(votes).toContainText('Works for 6 of 7 this week')
  await expect(votes.getByRole('button', { name: "Doesn't work" })).toHaveAttribute('aria-pressed', 'true')
  await votes.getByRole('button', { name: 'Add a note' }).press('Enter')
  await expect(votes.getByRole('textbox', { name: 'Note' })).toBeFocused()
  await page.keyboard.type('The apple is gone.')
  await votes.getByRole('button', { name: 'Save note' }).click()
  await expect(votes.getByText('The apple is gone.')).toBeVisible()
  await page.setViewportSize({ width: 360, height: 800 })
  await expectNoOverflow(page)
  await expectAccessible(page)
  await votes.getByRole('button', { name: 'Remove vote' }).click()
  await expect(votes).toContainText('Works for 6 of 6 this week')
})

test('the list shows only scripts that work now', async ({ page }) => {
  await open(page, '/?works_now=true')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByText('Works right now').first()).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('similar scripts and votes are part of the page', async ({ page }) => {
    await page.goto(await findScript(page, 'snake'))
    await expect(page.getByRole('region', { name: 'Does it work?' })).toContainText(/Works for \d+ of \d+ this week/)
    await expect(page.getByRole('button', { name: /vote/i })).toBeHidden()
    await expect(page.getByRole('region', { name: 'Similar scripts' }).getByRole('link')).toHaveCount(6)
  })
})
