import { callApi } from './members.ts'
import { expect, test, expectAccessible, type Page } from './page.ts'
import { openPortal, expectToast, unique } from './portal.ts'

/** Publishes a script and reports it as another member. */
async function report(author: Page, reporter: Page, title: string): Promise<number> {
  const body = { title, description: 'A script.', script_content: 'print(1)' }
  const made = JSON.parse((await callApi(author, 'POST', '/api/scripts', body)).text) as { script: { id: number } }
  const { id } = made.script
  const complaint = { subject_type: 'script', subject_id: id, reason: 'stolen', text: 'It is mine.' }
  expect((await callApi(reporter, 'POST', '/api/reports', complaint)).status).toBe(201)
  return id
}

const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

test('a moderator hides a script in one step; the author reads why and appeals once; an admin grants it', async ({
  page,
  signInAs,
}) => {
  const title = unique('Thunder')
  const author = await signInAs('Someone new')
  const id = await report(author, await signInAs('Someone new'), title)
  const moderator = await signInAs('okapi', '/moderation')
  const reportCase = card(moderator, title)
  await expect(reportCase).toContainText('It is mine.')
  await expect(reportCase).toContainText('Stolen or copied')
  await expect(reportCase).toContainText('1 report')
  await expect(reportCase).toContainText('No earlier decisions about')
  await reportCase.getByRole('button', { name: /^Show code/ }).click()
  await expect(reportCase.getByRole('region', { name: 'Code viewer' })).toContainText('print(1)')
  await reportCase.getByRole('button', { name: /^Claim/ }).click()
  await expect(reportCase).toContainText('claimed by')
  await reportCase.getByRole('button', { name: /^Decide/ }).click()
  const dialog = moderator.getByRole('dialog', { name: 'Decide' })
  await expectAccessible(moderator)
  await expect(dialog.getByRole('button', { name: 'Decide' })).toBeDisabled()
  await dialog.getByRole('radio', { name: 'Hide' }).check()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('')
  await expect(dialog.getByRole('button', { name: 'Hide' })).toBeDisabled()
  await expect(dialog.getByRole('switch', { name: 'Mute author' })).toHaveCount(0)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Copied line by line.')
  await dialog.getByRole('button', { name: 'Hide' }).click()
  await expectToast(moderator, 'Hidden')
  await expect(reportCase).toHaveCount(0)
  expect((await page.request.get(`/api/script-rating?id=${id}`)).status()).toBe(404)

  await author.goto(`/scripts/x-${id}`)
  const notice = author.getByRole('region', { name: 'Hidden by moderators' })
  await expect(notice).toContainText('Copied line by line.')
  const header = author.getByRole('main').locator('header').first()
  await expect(header.getByText('Hidden by moderators', { exact: true })).toBeVisible()
  await expect(header.getByText('Private', { exact: true })).toHaveCount(0)
  const downloaded = author.waitForEvent('download')
  await header.getByRole('button', { name: 'Download' }).click()
  expect((await downloaded).suggestedFilename()).toMatch(/^thunder-.*\.luau$/)
  await expect(author.getByText('Other members can give you reputation here.')).toBeVisible()
  await expect(author.getByRole('region', { name: 'Ratings and reviews' })).toContainText('No ratings yet.')
  await expectAccessible(author)
  // The edit form explains why the script cannot be public, instead of offering it.
  await author.getByRole('link', { name: 'Edit', exact: true }).click()
  const visibility = author.getByRole('region', { name: 'Visibility' })
  await expect(visibility).toContainText('Hidden by moderators')
  await expect(author.getByRole('radio', { name: 'Public' })).toHaveCount(0)
  await expectAccessible(author)
  await visibility.getByRole('link', { name: /See why/ }).click()
  await notice.getByRole('button', { name: 'Appeal' }).click()
  await author.getByLabel('Why is the decision wrong?').fill('I wrote both.')
  await author.getByRole('button', { name: 'Send appeal' }).click()
  await expectToast(author, 'Appeal sent. A different moderator will review it.')
  await expect(notice).toContainText('waiting for another moderator')
  await notice.getByRole('link', { name: 'Decisions and appeals' }).click()
  const decision = card(author, title)
  await expect(decision).toContainText('Appeal pending')
  await expect(decision.getByRole('button', { name: /^Appeal/ })).toHaveCount(0)
  await expectAccessible(author)

  await moderator.goto('/moderation?status=appealed')
  await expect(reportCase).toContainText('You made this decision. Another moderator decides the appeal.')
  await expect(reportCase.getByRole('button', { name: /^(Grant|Uphold)/ })).toHaveCount(0)

  await openPortal(page, '/admin/moderation?status=appealed')
  await card(page, title)
    .getByRole('button', { name: /^Grant/ })
    .click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Indeed.')
  await page.getByRole('dialog').getByRole('button', { name: 'Grant the appeal' }).click()
  await expect(card(page, title)).toHaveCount(0)
  await author.reload()
  await expect(decision).toContainText('Appeal granted')
  expect((await page.request.get(`/api/script-rating?id=${id}`)).status()).toBe(200)
})

test('a second decision is rejected and the current state is shown', async ({ page, signInAs }) => {
  const title = unique('Ground')
  await report(await signInAs('Someone new'), await signInAs('Someone new'), title)
  await openPortal(page, '/admin/moderation')
  const reportCase = card(page, title)
  const dismiss = async (on: Page) => {
    const dialog = on.getByRole('dialog', { name: 'Decide' })
    await dialog.getByRole('radio', { name: 'No violation' }).check()
    await dialog.getByRole('button', { name: 'Dismiss' }).click()
  }
  await reportCase.getByRole('button', { name: /^Decide/ }).click()
  const moderator = await signInAs('okapi', '/moderation')
  await card(moderator, title)
    .getByRole('button', { name: /^Decide/ })
    .click()
  await dismiss(moderator)
  await expect(card(moderator, title)).toHaveCount(0)
  await dismiss(page)
  await expectToast(page, 'Failed to dismiss')
  await page.keyboard.press('Escape')
  await expect(reportCase).toHaveCount(0)
})

test('the audit log is filtered by admin, member, action and time, and shows before and after', async ({
  page,
  signInAs,
}) => {
  const member = await signInAs('Someone new')
  const { username, id } = JSON.parse((await callApi(member, 'GET', '/api/user-profile')).text) as {
    username: string
    id: number
  }
  await openPortal(page, '/admin/moderation')
  const warning = { action: 'warn_user', user_id: id, reason: 'Loud', severity: 'moderate', duration: 7 }
  expect((await callApi(page, 'POST', '/api/admin-keys', warning)).status).toBe(200)
  const log = page.getByRole('region', { name: 'Audit log' })
  await page.getByRole('combobox', { name: 'Target' }).fill(username)
  await page.getByRole('option', { name: username }).click()
  await expect(page).toHaveURL(/member=\d+/)
  await expect(log.getByRole('listitem')).toHaveCount(1)
  await expect(log.getByRole('listitem')).toContainText(`Marlow warned ${username}`)
  await log.getByText('Details').click()
  await expect(log).toContainText('Loud')
  await log.getByLabel('Action').selectOption({ label: 'warn user' })
  await expect(page).toHaveURL(/action=warn_user/)
  await log.getByLabel('To', { exact: true }).fill('2020-01-01')
  await expect(log.getByText('No entries.')).toBeVisible()
  await expect(page.getByText('Coming Soon')).toBeVisible()
})

test('the status of cases is chosen by tabs, also by keyboard', async ({ page }) => {
  await openPortal(page, '/admin/moderation')
  const tabs = page.getByRole('tablist', { name: 'Status' })
  await expect(tabs.getByRole('tab')).toHaveText([
    /^To do/,
    'Open',
    'Claimed',
    'Resolved',
    'Dismissed',
    'Appeals',
    'All',
  ])
  await tabs.getByRole('tab', { name: 'To do' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('End')
  await expect(tabs.getByRole('tab', { name: 'All' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/admin/moderation?status=all')
  await expect(tabs.getByRole('tab', { selected: true })).toHaveText(/^All\s*\d+$/)
  await expectAccessible(page)
})

test('a public collection is reported from its page, hidden by a moderator and explained to its owner', async ({
  page,
  signInAs,
}) => {
  const name = unique('Loud lamps')
  const owner = await signInAs('Someone new')
  const body = { name, description: 'Rude words.', is_public: true }
  const made = JSON.parse((await callApi(owner, 'POST', '/api/collections', body)).text) as {
    collection: { slug: string }
  }
  const path = `/collections/${made.collection.slug}`
  const member = await signInAs('lin', path)
  await member.getByRole('button', { name: 'Report' }).click()
  const dialog = member.getByRole('dialog', { name: 'Report this collection' })
  await expectAccessible(member)
  await dialog.getByLabel('What is wrong?').selectOption({ label: 'Harassment or hate' })
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog).toHaveCount(0)

  const moderator = await signInAs('okapi', '/moderation')
  const reportCase = card(moderator, name)
  await expect(reportCase.getByRole('link', { name })).toHaveAttribute('href', path)
  await expect(reportCase).toContainText('Collection')
  await expect(reportCase).toContainText('Rude words.')
  await reportCase.getByRole('button', { name: /^Decide/ }).click()
  const decision = moderator.getByRole('dialog', { name: 'Decide' })
  await decision.getByRole('radio', { name: 'Hide' }).check()
  await decision.getByRole('textbox', { name: 'Reason' }).fill('Rude.')
  await decision.getByRole('button', { name: 'Hide' }).click()
  await expect(reportCase).toHaveCount(0)
  expect((await page.request.get(path)).status()).toBe(404)
  await moderator.goto(path)
  await expect(moderator.getByText('Hidden by moderators')).toBeVisible()

  await owner.goto(path)
  const notice = owner.getByRole('region', { name: 'Hidden by moderators' })
  await expect(notice).toContainText('Moderators hid this collection')
  await expect(notice).toContainText('Rude.')
  await expect(owner.getByRole('button', { name: 'Report' })).toHaveCount(0)
  await expectAccessible(owner)
})
