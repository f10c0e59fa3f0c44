import { createHmac, randomUUID } from 'node:crypto'
import { choosePerson, openAs } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, forward, type Page, test } from './page.ts'
import { publishScript } from './publishing.ts'
import type { Person } from './site.ts'

async function openRepositoryTab(page: Page, person: Person): Promise<string> {
  await openAs(page, person)
  const path = await publishScript(page)
  await page.goto(`${path}/new-version`)
  await page.getByRole('tab', { name: 'From a repository' }).click()
  await expect(page).toHaveURL(`${path}/new-version?tab=repository`)
  return path
}

test('an author trusts the builds of a repository with the keyboard, copies the workflow and removes the trust', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openRepositoryTab(page, 'Someone new')
  await expect(page.getByText('No publishers yet.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add a publisher' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a trusted publisher' })
  await expect(dialog.getByRole('combobox', { name: 'Server' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await page.keyboard.type('https://github.com/ada/clock')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Enter the repository as owner/name, not as a URL.')).toBeVisible()
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
  await expect(page.getByText('No publishers yet.')).toBeVisible()
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

test('an author lets only trusted builds publish, and turns that off after a recent sign-in', async ({
  page,
  site,
}) => {
  const path = await openRepositoryTab(page, 'okapi')
  const choice = page.getByRole('switch', { name: 'Only trusted builds may publish' })
  await expect(choice).toBeDisabled()
  await page.getByRole('button', { name: 'Add a publisher' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a trusted publisher' })
  await dialog.getByRole('textbox', { name: 'Repository', exact: true }).fill('ada/clock')
  await dialog.getByRole('textbox', { name: 'Workflow file' }).fill('release.yml')
  await dialog.getByRole('button', { name: 'Add publisher' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(choice).toBeEnabled()
  await choice.press('Space')
  await expect(page.getByText('Only trusted builds may publish now')).toBeVisible()
  await expect(choice).toBeChecked()
  await expectAccessible(page)
  await page.goto(`${path}/edit`)
  await page.getByRole('textbox', { name: 'Title' }).fill('A loud clock')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'A loud clock', exact: true })).toBeVisible()

  await page.goto(`${path}/new-version?tab=repository`)
  await page.getByRole('button', { name: 'Remove ada/clock' }).click()
  await page.getByRole('button', { name: 'Remove publisher' }).click()
  await expect(page.getByText('Nothing can publish a version until you add a publisher')).toBeVisible()
  await site.ageSignIns()
  const question = page.getByRole('alertdialog', { name: 'Let everything publish again?' })
  await choice.press('Space')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Turn off' }).click()
  await page
    .getByRole('alertdialog', { name: "Confirm it's you" })
    .getByRole('button', { name: 'Continue with Discord' })
    .click()
  await choosePerson(page, 'okapi')
  await question.getByRole('button', { name: 'Turn off' }).click()
  await expect(choice).not.toBeChecked()
})

test('an author connects a repository, sees its webhook and log, and disconnects it', async ({ page }) => {
  await openRepositoryTab(page, 'lin')
  await expect(page.getByText('No repository is connected.')).toBeVisible()
  await page.getByRole('button', { name: 'Connect a repository' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Connect a repository' })
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Repository' }).fill('lin/clock')
  await dialog.getByRole('textbox', { name: 'File' }).fill('../clock.luau')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).press('Enter')
  await expect(dialog.getByRole('textbox', { name: 'File' })).toBeFocused()
  await expect(dialog.getByText('Enter a path such as src/lamp.luau.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'File' }).fill('src/**/clock.{lua,luau}')
  await page.keyboard.press('Enter')

  const section = page.getByRole('region', { name: 'Sync from a repository' })
  const secret = section.getByRole('textbox', { name: 'Secret of the webhook' })
  await expect(secret).toHaveValue(/^[\w-]{32}$/)
  await expect(section).toContainText('branch main · src/**/clock.{lua,luau}')
  await expect(section).toContainText('No event yet. Add the webhook to the repository.')
  const url = await section.getByRole('textbox', { name: 'URL of the webhook' }).inputValue()
  await expect(section.getByRole('link', { name: 'the webhooks of the repository' })).toHaveAttribute(
    'href',
    'https://github.com/lin/clock/settings/hooks/new',
  )
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page)
    await expectNoOverflow(page)
  }

  // A push that deletes the file needs no request to the server of the repository.
  const commit = { id: 'a'.repeat(40), message: 'Delete it', added: [], modified: [], removed: ['src/clock.luau'] }
  const event = JSON.stringify({
    ref: 'refs/heads/main',
    before: 'b'.repeat(40),
    after: commit.id,
    commits: [commit],
    repository: { id: 1, full_name: 'lin/clock', pushed_at: 1_700_000_000 },
  })
  const signature = createHmac('sha256', await secret.inputValue())
    .update(event)
    .digest('hex')
  const delivered = await page.request.post(new URL(url).pathname, {
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${signature}`,
    },
    data: Buffer.from(event),
  })
  expect(delivered.status()).toBe(202)
  await page.reload()
  const row = section.getByRole('list', { name: 'Last updates' }).getByRole('listitem')
  await expect(row).toContainText('Skipped')
  await expect(row).toContainText('The file was deleted or renamed in the repository.')
  await expect(section.getByRole('textbox', { name: 'Secret of the webhook' })).toHaveCount(0)
  await section.getByRole('button', { name: 'Change' }).press('Enter')
  const change = page.getByRole('dialog', { name: 'Change the repository' })
  await change.getByRole('textbox', { name: 'Branch' }).fill('stable')
  await change.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(section).toContainText('branch stable')
  await section.getByText('Set up the webhook').click()
  await section.getByRole('button', { name: 'New secret' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replace secret' }).press('Enter')
  await expect(secret).toHaveValue(/^[\w-]{32}$/)
  await expectAccessible(page)

  // An update is waiting, and its state is requested before the repository is disconnected and received after it.
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  let requests = 0
  await page.route('**/api/repository-source?*', async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const response = await forward(route)
    const loaded = (await response.json()) as { syncs: object[] }
    if (requests++ > 0) await isReleased
    await route.fulfill({
      response,
      json: { ...loaded, syncs: loaded.syncs.map((sync) => ({ ...sync, state: 'waiting' })) },
    })
  })
  await page.clock.install()
  await page.reload()
  await expect(row).toContainText('Waiting')
  const poll = page.waitForRequest('**/api/repository-source?*')
  await page.clock.fastForward(2000)
  await poll
  await section.getByRole('button', { name: 'Disconnect' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Disconnect the repository?' })
  await question.getByRole('button', { name: 'Disconnect' }).press('Enter')
  await expect(page.getByText('No repository is connected.')).toBeVisible()
  const received = page.waitForResponse('**/api/repository-source?*')
  release()
  await (await received).finished()
  await expect(page.getByRole('button', { name: 'Connect a repository' })).toBeFocused()
})
