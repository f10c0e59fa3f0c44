import { expect, test, open } from './page.ts'

test('popular scripts have at least a rating of 3.5 and 100 views, best first', async ({ page }) => {
  await open(page, '/popular')
  const ratings = await page.locator('article .tabular-nums .tabular-nums').allInnerTexts()
  const averages = ratings.map((text) => Number(/\d\.\d/.exec(text)?.[0]))
  expect(averages.length).toBeGreaterThan(5)
  expect(averages).toEqual(averages.toSorted((a, b) => b - a))
  expect(Math.min(...averages)).toBeGreaterThanOrEqual(3.5)
  await expect(page.getByText('Top Rated').first()).toBeVisible()
  await expect(page.getByText('Trending', { exact: true }).first()).toBeVisible()
})

test('popular scripts can be searched and sorted through the URL', async ({ page }) => {
  await open(page, '/popular')
  await page.getByPlaceholder('Search scripts or #tag...').fill('#ui')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL('/popular?search=%23ui')
  await page.getByLabel('Sort').selectOption({ label: 'Most Viewed' })
  await expect(page).toHaveURL('/popular?search=%23ui&sort=view_count')
  await page.reload()
  await expect(page.getByPlaceholder('Search scripts or #tag...')).toHaveValue('#ui')
  await page.getByPlaceholder('Search scripts or #tag...').fill('qqqq')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No popular scripts found')).toBeVisible()
})

test('showcases show date and notes, newest first', async ({ page }) => {
  await open(page, '/showcases')
  await expect(page.getByRole('article')).toHaveCount(4)
  await expect(page.getByText('Showcased').first()).toBeVisible()
})

test('a page without showcases shows an empty state', async ({ page }) => {
  await open(page, '/showcases?page=99')
  await expect(page.getByText('No Showcases Yet')).toBeVisible()
})
