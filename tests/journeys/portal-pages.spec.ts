import { callApi, readOwnProfile } from './members.ts'
import { expect, test, expectAccessible } from './page.ts'
import { expectToast, unique } from './portal.ts'

test('a member reports a script once from its page', async ({ signInAs }) => {
  const author = await signInAs('Someone new')
  const title = unique('Reported')
  const body = { title, description: 'A script.', script_content: 'print(1)' }
  const made = JSON.parse((await callApi(author, 'POST', '/api/scripts', body)).text) as { script: { slug: string } }
  const path = `/scripts/${made.script.slug}`
  await author.goto(path)
  await expect(author.getByRole('link', { name: 'Edit' }).first()).toBeVisible()
  await author.getByRole('button', { name: 'More', exact: true }).click()
  await expect(author.getByRole('menuitem', { name: 'Copy link' })).toBeVisible()
  await expect(author.getByRole('menuitem', { name: 'Report' })).toHaveCount(0)

  const page = await signInAs('Someone new', path)
  const report = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await expect(page.getByRole('menuitem', { name: 'Hide' })).toHaveCount(0)
    await page.getByRole('menuitem', { name: 'Report' }).click()
    const dialog = page.getByRole('dialog', { name: 'Report this script' })
    await expect(dialog.getByRole('button', { name: 'Send report' })).toBeDisabled()
    await dialog.getByLabel('What is wrong?').selectOption({ label: 'Something else' })
    await expect(dialog.getByRole('button', { name: 'Send report' })).toBeDisabled()
    await dialog.getByLabel('Details').fill('It is not what it says.')
    await dialog.getByRole('button', { name: 'Send report' }).click()
    return dialog
  }
  const dialog = await report()
  await expectToast(page, 'Thanks. A moderator will review it.')
  await expect(dialog).toHaveCount(0)
  await report()
  await expectToast(page, 'Failed to send the report')
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
})

test('a moderator hides a script from its page and still sees it', async ({ page, signInAs }) => {
  const author = await signInAs('Someone new')
  const title = unique('Hidden')
  const body = { title, description: 'A script.', script_content: 'print(1)' }
  const made = JSON.parse((await callApi(author, 'POST', '/api/scripts', body)).text) as { script: { slug: string } }
  const path = `/scripts/${made.script.slug}`
  const moderator = await signInAs('okapi', path)
  await moderator.getByRole('button', { name: 'More', exact: true }).click()
  await moderator.getByRole('menuitem', { name: 'Hide' }).click()
  const dialog = moderator.getByRole('dialog', { name: 'Hide this script' })
  await expect(dialog.getByRole('button', { name: 'Hide' })).toBeDisabled()
  await dialog.getByLabel('Reason').fill('Broken on purpose.')
  await dialog.getByRole('button', { name: 'Hide' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(moderator.getByText('Hidden by moderators', { exact: true })).toBeVisible()
  expect((await page.goto(path))?.status()).toBe(404)
  await author.goto('/appeals')
  await expect(author.getByRole('article').filter({ hasText: title })).toContainText('Broken on purpose.')
})

test('a review is reported by a member and hidden by a moderator', async ({ page, signInAs }) => {
  const author = await signInAs('Someone new')
  const body = { title: unique('Reviewed'), description: 'A script.', script_content: 'print(1)' }
  const made = JSON.parse((await callApi(author, 'POST', '/api/scripts', body)).text) as {
    script: { id: number; slug: string }
  }
  const critic = await signInAs('Someone new')
  const rating = { rating: 1, review: 'Rude words.' }
  expect((await callApi(critic, 'POST', `/api/script-rating?id=${made.script.id}`, rating)).status).toBe(200)
  const path = `/scripts/${made.script.slug}`
  const more = /^More about Review by/
  await author.goto(path)
  await author.getByRole('button', { name: more }).click()
  await expect(author.getByRole('menuitem')).toHaveText(['Report', 'Block'])
  await author.getByRole('menuitem', { name: 'Report' }).click()
  await author.getByLabel('What is wrong?').selectOption({ label: 'Harassment or hate' })
  await author.getByRole('button', { name: 'Send report' }).click()
  await expectToast(author, 'Thanks. A moderator will review it.')
  await critic.goto(path)
  await expect(critic.getByText('Rude words.')).toBeVisible()
  await expect(critic.getByRole('button', { name: more })).toHaveCount(0)
  const moderator = await signInAs('okapi', path)
  await moderator.getByRole('button', { name: more }).click()
  await moderator.getByRole('menuitem', { name: 'Hide' }).click()
  await moderator.getByLabel('Reason').fill('Rude.')
  await moderator.getByRole('dialog').getByRole('button', { name: 'Hide' }).click()
  await expect(moderator.getByText('Rude words.')).toHaveCount(0)
  await page.goto(path)
  const ratings = page.getByRole('region', { name: 'Ratings and reviews' })
  await expect(ratings.getByText('No ratings yet.')).toBeVisible()
  await expect(ratings).toContainText('0.0')
  await expect(ratings.getByRole('listitem')).toHaveCount(0)
})

test('members can report the profiles of others, but not their own', async ({ signInAs }) => {
  const owner = await signInAs('Someone new')
  const { username } = await readOwnProfile(owner)
  const page = await signInAs('Someone new', `/profile/${username}`)
  const more = page.getByRole('button', { name: `More about ${username}` })
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem')).toHaveText(['Report', 'Block'])
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Report this profile' })
  await expect(dialog.getByLabel('What is wrong?')).toBeFocused()
  await dialog.getByLabel('What is wrong?').selectOption({ label: 'Spam or advertising' })
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expectToast(page, 'Thanks. A moderator will review it.')
  await owner.goto(`/profile/${username}`)
  await expect(owner.getByRole('link', { name: 'Edit Profile' })).toBeVisible()
  await expect(owner.getByRole('button', { name: /^More about/ })).toHaveCount(0)
})
