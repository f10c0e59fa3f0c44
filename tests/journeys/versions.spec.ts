import { expect, test } from './page.ts'
import { arriveAsNewcomer, changeScript, publishScript } from './publishing.ts'

test.beforeEach(async ({ page }) => arriveAsNewcomer(page))

test('the history shows versions and differences, and restores a version', async ({ page }) => {
  const path = await publishScript(page, { script_content: 'local a = 1\nprint(a)\n' })
  await changeScript(page, path, {
    version: '1.1.0',
    script_content: 'local a = 2\nprint(a)\nprint("more")\n',
    changelog: 'Counts further.',
  })
  await changeScript(page, path, { version: '1.2.0' })
  await page.goto(path)
  await page.getByRole('button', { name: /^Show (and compare|version)/ }).click()
  const rows = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(0)).toContainText(/1\.2\.0.*Current/)
  await expect(rows.nth(1)).toContainText('Counts further.')
  // The two newest versions have the same code.
  await expect(page.getByText('No changes.')).toBeVisible()
  await page.getByRole('combobox', { name: 'From' }).selectOption('1')
  const differences = page.getByRole('region', { name: 'Differences' })
  await expect(differences).toContainText('Removed: local a = 1')
  await expect(differences).toContainText('Added: local a = 2')
  await expect(
    page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Versions 3' }),
  ).toBeVisible()
  await expect(page.getByText('2 lines added')).toBeVisible()
  await expect(page.getByText('1 line removed')).toBeVisible()

  const raw = await rows.nth(2).getByRole('link').getAttribute('href')
  expect(raw).toMatch(/\?sha256=[0-9a-f]{64}$/)
  expect(await (await page.request.get(raw ?? '')).text()).toBe('local a = 1\nprint(a)\n')

  await rows
    .nth(2)
    .getByRole('button', { name: /Restore/ })
    .click()
  const dialog = page.getByRole('alertdialog', { name: 'Restore this version?' })
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('Restored version 1.0.0.')).toBeVisible()
  await expect(rows).toHaveCount(4)
  await expect(page.getByText('local a = 1').first()).toBeVisible()
  expect(await (await page.request.get(path.replace('/scripts/', '/raw/'))).text()).toBe('local a = 1\nprint(a)\n')
})

test('a visitor reads the history but cannot restore', async ({ page, openVisitor }) => {
  const path = await publishScript(page)
  await changeScript(page, path, { script_content: 'print(2)\n' })
  const visitor = await openVisitor()
  await visitor.goto(path)
  await visitor.getByRole('button', { name: 'Show and compare 2 versions' }).click()
  await expect(visitor.getByRole('list', { name: 'Versions' }).getByRole('listitem')).toHaveCount(2)
  await expect(visitor.getByRole('region', { name: 'Differences' })).toBeVisible()
  await expect(visitor.getByRole('button', { name: /Restore/ })).toHaveCount(0)
})

test('the notes on the current version are formatted, also without the history', async ({ page }) => {
  const path = await publishScript(page)
  await changeScript(page, path, { version: '2.0.0', changelog: '**Breaking:** `start` takes a table.' })
  await page.goto(path)
  const versions = page.getByRole('region', { name: 'Versions' })
  await expect(versions.locator('strong')).toHaveText('Breaking:')
  await expect(versions.locator('code')).toHaveText('start')
})

test('a history that fails to load can be retried', async ({ page }) => {
  await page.goto(await publishScript(page))
  await page.route('**/api/script-versions?*', (route) => route.abort())
  await page.getByRole('button', { name: /^Show (and compare|version)/ }).click()
  await expect(page.getByText("Couldn't load the version history.")).toBeVisible()
  await page.unroute('**/api/script-versions?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Only one version so far.')).toBeVisible()
})
