import { choosePerson, openAs } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, test, type Page } from './page.ts'
import { publishScript } from './publishing.ts'
import type { Person } from './site.ts'

async function openRepositoryTab(page: Page, person: Person): Promise<string> {
  await openAs(page, person)
  const path = await publishScript(page)
  await page.goto(`${path}/edit`)
  await page.getByRole('tab', { name: 'Repository' }).click()
  await expect(page).toHaveURL(`${path}/edit?tab=repository`)
  return path
}

test('an author trusts the builds of a repository with the keyboard, copies the workflow and removes the trust', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openRepositoryTab(page, 'Someone new')
  await expect(page.getByText('No build may publish this script yet.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add a publisher' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a trusted publisher' })
  await expect(dialog.getByRole('combobox', { name: 'Server' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await page.keyboard.type('https://github.com/ada/clock')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter the repository as owner/name, without an address.')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Repository', exact: true })).toBeFocused()
  await dialog.getByRole('textbox', { name: 'Repository', exact: true }).fill('ada/clock')
  await dialog.getByRole('textbox', { name: 'Workflow file' }).fill('release.yml')
  await dialog.getByRole('textbox', { name: 'Branch' }).fill('main')
  await dialog.getByRole('textbox', { name: 'Environment' }).fill('release')
  await dialog.getByRole('button', { name: 'Add publisher' }).press('Enter')

  const row = page.getByRole('list', { name: 'Trusted publishers' }).getByRole('listitem')
  await expect(row).toContainText('ada/clock')
  await expect(row).toContainText('github.com · release.yml · branch main · environment release')
  await expect(row).toContainText('Never used')
  await row.getByText('Set up the build').press('Enter')
  const workflow = row.getByRole('region', { name: '.github/workflows/release.yml' })
  await expect(workflow).toContainText('id-token: write')
  await expect(row.getByRole('region', { name: 'scriptyard.json' })).toContainText('"slug": "a-quiet-clock-')
  await row.getByRole('button', { name: 'Copy' }).last().press('Enter')
  await expect(row.getByText('Copied!').last()).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await workflow.textContent())
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page)
    await expectNoOverflow(page)
  }

  await row.getByRole('button', { name: 'Remove ada/clock' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Remove this publisher?' })
  await question.getByRole('button', { name: 'Remove publisher' }).press('Enter')
  await expect(page.getByText('No build may publish this script yet.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Trusted publishers' })).toBeFocused()
})

test('adding a trusted publisher asks for a recent sign-in and continues after it', async ({ page, site }) => {
  await openRepositoryTab(page, 'okapi')
  await site.ageSignIns()
  await page.getByRole('button', { name: 'Add a publisher' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a trusted publisher' })
  await dialog.getByRole('combobox', { name: 'Server' }).selectOption('gitlab.com')
  await dialog.getByRole('textbox', { name: 'Project' }).fill('ada/group/clock')
  await dialog.getByRole('button', { name: 'Add publisher' }).click()
  await page
    .getByRole('alertdialog', { name: "Confirm it's you" })
    .getByRole('button', { name: 'Continue with Discord' })
    .click()
  await choosePerson(page, 'okapi')
  await expect(dialog.getByRole('textbox', { name: 'Project' })).toHaveValue('ada/group/clock')
  await expect(dialog.getByRole('textbox', { name: 'Pipeline configuration' })).toHaveValue('.gitlab-ci.yml')
})
