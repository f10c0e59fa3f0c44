import { openAs } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, test } from './page.ts'

test('an author reads the statistics of all scripts and of one, by keyboard and on a phone', async ({ page }) => {
  await openAs(page, 'ada_builds', '/profile/ada_builds')
  await page.getByRole('link', { name: 'Statistics' }).first().click()
  await expect(page).toHaveURL(/\/dashboard$/)
  const views = page.getByRole('slider', { name: 'Views per day' })
  await views.focus()
  await expect(views).toHaveAttribute('aria-valuetext', /^[A-Z][a-z]+ \d+, 20\d\d: \d/)
  await page.keyboard.press('Home')
  await expect(views).toHaveAttribute('aria-valuenow', '1')
  await page.keyboard.press('ArrowRight')
  await expect(views).toHaveAttribute('aria-valuenow', '2')
  await page.getByText('View as table').click()
  await expect(page.getByRole('region', { name: 'Statistics by day' }).getByRole('row')).toHaveCount(31)
  await expectAccessible(page)

  await page.getByRole('combobox', { name: 'Period' }).selectOption('7 days')
  await expect(page.getByRole('region', { name: 'Statistics by day' }).getByRole('row')).toHaveCount(8)
  const first = page.getByRole('region', { name: 'Statistics by script' }).getByRole('link').first()
  const title = (await first.textContent()) ?? ''
  await first.click()
  await expect(page).toHaveURL(/script=\d+&days=7$/)
  await expect(page.getByRole('region', { name: 'Statistics by version' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: title })).toHaveAttribute('href', /^\/scripts\//)
  await page.setViewportSize({ width: 360, height: 740 })
  await page.emulateMedia({ colorScheme: 'light' })
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.reload()
  await expect(page.getByRole('region', { name: 'Statistics by version' })).toBeVisible()

  await page.goto('/dashboard?script=999999')
  await expect(page.getByRole('heading', { name: 'Not your script' })).toBeVisible()
  await page.getByRole('link', { name: 'Show all your scripts' }).click()
  await expect(views).toBeVisible()
})
