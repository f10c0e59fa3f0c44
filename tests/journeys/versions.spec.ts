import { waitUntilSignedIn } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, onEachDevice, test } from './page.ts'
import { unique } from './portal.ts'
import { arriveAsNewcomer, changeScript, publishScript } from './publishing.ts'
import { codeEditor } from './upload-form.ts'

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
  await page.getByRole('button', { name: /^(All \d+ versions|View version)$/ }).click()
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
  await visitor.getByRole('button', { name: 'All 2 versions' }).click()
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
  await page.getByRole('button', { name: /^(All \d+ versions|View version)$/ }).click()
  await expect(page.getByText("Couldn't load the version history.")).toBeVisible()
  await page.unroute('**/api/script-versions?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Only one version so far.')).toBeVisible()
})

onEachDevice(() => {
  test('a script whose only version is withdrawn says why, and leads to its successor', async ({
    page,
    openVisitor,
  }) => {
    const next = unique('Next coins')
    const successor = await publishScript(page, { title: next, script_content: `print("${next}")` })
    const path = await publishScript(page, { script_content: `print("former ${next}")` })
    await page.goto(path)
    await page.getByRole('button', { name: /^(All \d+ versions|View version)$/ }).click()
    await page.getByRole('button', { name: 'Withdraw version #1' }).click()
    const dialog = page.getByRole('dialog', { name: 'Withdraw this version?' })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('It deletes saved games.')
    await dialog.getByRole('textbox', { name: 'Replaced by' }).fill(new URL(successor, page.url()).href)
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByRole('region', { name: 'Withdrawn' })).toContainText('Version 1.0.0 was withdrawn')
    const row = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await expect(row).toContainText(`It deletes saved games.Replaced by ${next}`)
    await expectNoOverflow(page)
    await expectAccessible(page)

    const visitor = await openVisitor()
    expect((await visitor.goto(path))?.status()).toBe(410)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('This script was withdrawn')
    await expect(visitor.getByText('Version 1.0.0 was withdrawn by its author on')).toBeVisible()
    await expect(visitor.getByText('It deletes saved games.')).toBeVisible()
    await expectNoOverflow(visitor)
    await expectAccessible(visitor)
    await visitor.getByRole('link', { name: 'Open the new script' }).click()
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText(next)

    await page.goto(path)
    await waitUntilSignedIn(page)
    await page.getByRole('link', { name: 'New version' }).first().click()
    await expect(page).toHaveURL(`${path}/new-version`)
    await expect(codeEditor(page)).toContainText(`former ${next}`)
  })
})
