import { openAs } from './members.ts'
import { expect, expectGoodOnEachScreen, test } from './page.ts'

const PAGES = [
  ['/favorites', 'No favorites yet'],
  ['/following', "You don't follow anyone yet"],
  ['/dashboard', 'No statistics yet'],
  ['/collections', 'No collections yet'],
  ['/appeals', 'No decisions'],
] as const

test('the pages of a new member say what is missing, fit the screen and are accessible', async ({ page }) => {
  await openAs(page, 'Someone new', '/popular')
  for (const [path, title] of PAGES) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: title }), path).toBeVisible()
    await expectGoodOnEachScreen(page)
  }
})
