import { callApi } from './members.ts'
import { expect, test, type Page } from './page.ts'
import { openPortal, expectToast, unique } from './portal.ts'

async function publish(page: Page, title: string): Promise<number> {
  const body = { title, description: 'A script.', script_content: 'print(1)' }
  const { text } = await callApi(page, 'POST', '/api/scripts', body)
  return (JSON.parse(text) as { script: { id: number } }).script.id
}

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })

async function choose(page: Page, title: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${title}` }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

test('scripts can be searched and filtered, with an empty state for no results', async ({ page }) => {
  await openPortal(page, '/admin/scripts')
  await expect(page.getByRole('table', { name: 'Scripts' }).getByRole('row')).toHaveCount(11)
  await page.getByRole('link', { name: 'Page 2' }).click()
  await expect(page).toHaveURL(/page=2/)
  const box = page.getByRole('searchbox', { name: 'Search by title, description or author' })
  await box.fill('radial')
  await expect(row(page, 'Radial Menu')).toContainText('Private')
  await expect(page).not.toHaveURL(/page=/)
  await box.fill('qqqqqq')
  await expect(page.getByText('No scripts found')).toBeVisible()
  await box.fill('')
  await page.getByLabel('Status').selectOption({ label: 'Private' })
  await expect(row(page, 'Radial Menu')).toBeVisible()
  await expect(page.getByLabel('Status').getByRole('option')).toHaveText([
    'All',
    'Featured',
    'Verified',
    'Public',
    'Private',
  ])
  await expect(page.getByLabel('Type').getByRole('option')).toHaveText(['All', 'Featured', 'Verified'])
})

test('a script is featured, verified and deleted, each after a confirmation', async ({ page, signInAs }) => {
  const lantern = unique('Lantern')
  await publish(await signInAs('Someone new'), lantern)
  await openPortal(page, `/admin/scripts?search=${encodeURIComponent(lantern)}`)
  await choose(page, lantern, 'Feature')
  await expect(page.getByText(`Are you sure you want to feature "${lantern}"?`)).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Feature' }).click()
  await expect(row(page, lantern).getByText('Featured', { exact: true })).toBeVisible()
  await choose(page, lantern, 'Verify')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Verify' }).click()
  await expect(row(page, lantern).getByText('Verified', { exact: true })).toBeVisible()
  await choose(page, lantern, 'Delete')
  await expect(
    page.getByText(`Are you sure you want to delete "${lantern}"? This action cannot be undone.`),
  ).toBeVisible()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No scripts found')).toBeVisible()
})

test('a bulk action reports the scripts that failed', async ({ page, signInAs }) => {
  const author = await signInAs('Someone new')
  const velvet = unique('Velvet')
  await publish(author, `${velvet} one`)
  const gone = await publish(author, `${velvet} two`)
  await openPortal(page, `/admin/scripts?search=${encodeURIComponent(velvet)}`)
  await expect(row(page, `${velvet} two`)).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Bulk actions' }).click()
  // Its author deletes one at the same time.
  expect((await callApi(author, 'DELETE', `/api/script-details?id=${gone}`)).status).toBe(200)
  const dialog = page.getByRole('dialog', { name: 'Bulk actions: 2 scripts' })
  await dialog.getByLabel('Action', { exact: true }).selectOption({ label: 'Verify' })
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expectToast(page, 'Bulk action completed for 1 scripts')
  const failing = page.getByRole('dialog')
  await expect(failing.getByRole('alert').filter({ hasText: 'Failed for' })).toContainText(`${velvet} two`)
  await expect(failing.getByRole('progressbar')).toHaveAttribute('value', '2')
  await failing.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, `${velvet} one`).getByText('Verified', { exact: true })).toBeVisible()
})
