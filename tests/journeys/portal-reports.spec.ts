import { callApi } from './members.ts'
import { expect, test, expectAccessible, type Page } from './page.ts'
import { openPortal, expectToast, unique } from './portal.ts'

/** Publishes a script and reports it as another member. */
async function report(author: Page, reporter: Page, title: string): Promise<number> {
  const body = { title, description: 'A script.', script_content: 'print(1)' }
  const made = JSON.parse((await callApi(author, 'POST', '/api/scripts', body)).text) as { script: { id: number } }
  const { id } = made.script
  const said = { subject_type: 'script', subject_id: id, reason: 'stolen', text: 'It is mine.' }
  expect((await callApi(reporter, 'POST', '/api/reports', said)).status).toBe(201)
  return id
}

const card = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })

test('a moderator claims, hides and resolves; the author appeals once; an admin grants it', async ({
  page,
  signInAs,
}) => {
  const title = unique('Thunder')
  const author = await signInAs('Someone new', '/')
  const id = await report(author, await signInAs('Someone new', '/'), title)
  const desk = await signInAs('okapi', '/moderation')
  const thing = card(desk, title)
  await expect(thing).toContainText('It is mine.')
  await expect(thing).toContainText('Stolen or copied')
  await expectAccessible(desk)
  await thing.getByRole('button', { name: /^Claim/ }).click()
  await expect(thing).toContainText('claimed by')
  await thing.getByRole('button', { name: /^Hide/ }).click()
  const hide = desk.getByRole('dialog', { name: 'Hide' })
  await expect(hide.getByRole('button', { name: 'Hide' })).toBeDisabled()
  await hide.getByLabel('Reason').fill('Copied line by line.')
  await hide.getByRole('button', { name: 'Hide' }).click()
  await expect(thing).toContainText('Hidden')
  expect((await page.request.get(`/api/script-rating?id=${id}`)).status()).toBe(404)
  await thing.getByRole('button', { name: /^Resolve/ }).click()
  await desk.getByRole('dialog').getByLabel('Reason').fill('It is a copy.')
  await desk.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
  await expect(
    desk.getByText('No reports are waiting for a decision.').or(desk.getByRole('article').first()),
  ).toBeVisible()
  await expect(thing).toHaveCount(0)

  await author.goto('/appeals')
  const decision = card(author, title)
  await expect(decision).toContainText('It is a copy.')
  await expectAccessible(author)
  await decision.getByRole('button', { name: /^Appeal/ }).click()
  await author.getByLabel('Why is the decision wrong?').fill('I wrote both.')
  await author.getByRole('button', { name: 'Send appeal' }).click()
  await expectToast(author, 'Appeal sent. A different moderator will review it.')
  await expect(decision).toContainText('Appeal pending')
  await expect(decision.getByRole('button', { name: /^Appeal/ })).toHaveCount(0)

  await openPortal(page, '/admin/moderation?status=appealed')
  await card(page, title)
    .getByRole('button', { name: /^Grant/ })
    .click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Indeed.')
  await page.getByRole('dialog').getByRole('button', { name: 'Grant the appeal' }).click()
  await expect(page.getByText('No reports have this status.')).toBeVisible()
  await author.reload()
  await expect(decision).toContainText('Appeal granted')
  expect((await page.request.get(`/api/script-rating?id=${id}`)).status()).toBe(200)
})

test('a second decision is rejected and the current state is shown', async ({ page, signInAs }) => {
  const title = unique('Ground')
  await report(await signInAs('Someone new', '/'), await signInAs('Someone new', '/'), title)
  await openPortal(page, '/admin/moderation')
  const thing = card(page, title)
  await thing.getByRole('button', { name: /^Dismiss/ }).click()
  const desk = await signInAs('okapi', '/moderation')
  await card(desk, title)
    .getByRole('button', { name: /^Dismiss/ })
    .click()
  await desk.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
  await expect(card(desk, title)).toHaveCount(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Dismiss' }).click()
  await expectToast(page, 'Failed to dismiss')
  await page.keyboard.press('Escape')
  await expect(thing).toHaveCount(0)
})

test('the audit log is filtered by admin, member, action and time, and shows before and after', async ({
  page,
  signInAs,
}) => {
  const member = await signInAs('Someone new', '/')
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
  await expect(log.getByRole('listitem')).toContainText('warn user')
  await log.getByText('Details').click()
  await expect(log).toContainText('Loud')
  await log.getByLabel('Action').selectOption({ label: 'warn user' })
  await expect(page).toHaveURL(/action=warn_user/)
  await log.getByLabel('To', { exact: true }).fill('2020-01-01')
  await expect(log.getByText('No entries.')).toBeVisible()
  await expect(page.getByText('Coming Soon')).toBeVisible()
})
