import { loginButton, callApi, readOwnProfile } from './members.ts'
import { expect, expectAccessible, test, type Page } from './page.ts'
import { openPortal, expectToast } from './portal.ts'

async function choose(page: Page, name: string, entry: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('members are sorted, and found by name, email and id, and by status and role', async ({ page }) => {
  await openPortal(page, '/admin/users')

  await test.step('columns sort in both directions', async () => {
    const head = page.getByRole('columnheader', { name: 'User', exact: true })
    await head.getByRole('button').click()
    await expect(page).toHaveURL(/sort=username/)
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'ascending')
    await expect(page.getByRole('row').nth(1)).toContainText('ada_builds')
  })

  const box = page.getByRole('searchbox', { name: 'Search by username, email or ID' })
  const names = page.getByRole('table', { name: 'Users' }).getByRole('row')
  await box.fill('theodora')
  await expect(page).toHaveURL(/search=theodora/)
  await expect(names).toHaveCount(2)
  await box.fill('lin@example.com')
  await expect(row(page, 'lin@example.com')).toBeVisible()
  await box.fill('lin wei')
  await expect(row(page, 'lin@example.com')).toBeVisible()
  await expect(names).toHaveCount(2)
  await box.fill('%_')
  await expect(page.getByText('No users found')).toBeVisible()
  await box.fill('')
  await page.getByLabel('Role').selectOption({ label: 'Admin' })
  await expect(page).toHaveURL(/role=admin/)
  await expect(row(page, 'marlow')).toBeVisible()
  await expect(row(page, 'wren')).toHaveCount(0)
  await page.getByLabel('Role').selectOption({ label: 'All' })
  await box.fill('wren')
  await expect(page).toHaveURL(/search=wren/)
  await page.getByLabel('Status').selectOption({ label: 'Active' })
  await expect(page).toHaveURL(/status=active/)
  await expect(row(page, 'wren')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Status')).toHaveValue('active')

  await test.step('the filters show their values on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 780 })
    for (const filter of ['Status', 'Role']) {
      const { width = 0 } = (await page.getByRole('combobox', { name: filter }).boundingBox()) ?? {}
      expect(width).toBeGreaterThan(80)
    }
  })
})

test('a member is edited, muted, warned, banned and made a moderator', async ({ page, signInAs }) => {
  const newcomer = await signInAs('Someone new', '/')
  const name = (await readOwnProfile(newcomer)).username
  await openPortal(page, `/admin/users?search=${name}`)

  await test.step('the whole number at the start of a reputation is saved, else 0', async () => {
    await choose(page, name, 'Edit User')
    const dialog = page.getByRole('dialog', { name: `Edit user: ${name}` })
    await expect(dialog.getByLabel('Title')).toBeFocused()
    await expect(dialog.getByLabel('Badge color')).toHaveValue('#6366f1')
    await dialog.getByLabel('Title').fill('Builder of bridges')
    await dialog.getByLabel('Custom badge').fill('Bridge')
    await dialog.getByLabel('Reputation points').fill('12abc')
    await dialog.getByLabel('Admin notes').fill('Kind.')
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expectToast(page, 'User updated successfully')
    await expect(row(page, name)).toContainText('12')
    await choose(page, name, 'Edit User')
    await expect(dialog.getByLabel('Title')).toHaveValue('Builder of bridges')
    await dialog.getByLabel('Reputation points').fill('abc')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(row(page, name).getByRole('cell').nth(5)).toHaveText('0')
  })

  await test.step('mutes and warnings have limits and defaults', async () => {
    await choose(page, name, 'Mute')
    const mute = page.getByRole('dialog', { name: `Mute user: ${name}` })
    await expect(mute.getByLabel('Duration')).toHaveValue('24')
    await expect(mute.getByLabel('Duration').getByRole('option')).toHaveText([
      '1 hour',
      '6 hours',
      '24 hours',
      '7 days',
      'Permanent',
    ])
    await mute.getByLabel('Reason').fill('Shouting')
    await mute.getByRole('button', { name: 'Mute user' }).click()
    await expectToast(page, 'User muted successfully')
    await expect(row(page, name)).toContainText('Muted')

    await choose(page, name, 'Issue Warning')
    const warn = page.getByRole('dialog', { name: `Issue warning: ${name}` })
    await expect(warn.getByLabel('Severity')).toHaveValue('minor')
    await expect(warn.getByLabel('Severity').getByRole('option')).toHaveText(['Minor', 'Moderate', 'Severe'])
    await expect(warn.getByLabel('Expires after')).toHaveValue('30')
    await expect(warn.getByLabel('Expires after').getByRole('option')).toHaveText([
      '7 days',
      '30 days',
      '90 days',
      'Permanent',
    ])
    await warn.getByLabel('Reason').fill('Be kind')
    await warn.getByRole('button', { name: 'Issue warning' }).click()
    await expectToast(page, 'Warning issued successfully')
    await expect(row(page, name).getByRole('cell').nth(4)).toHaveText('1')

    await choose(page, name, 'Unmute')
    await page.getByRole('button', { name: 'Unmute' }).click()
    await expect(row(page, name)).toContainText('Active')
  })

  await test.step('a ban needs a reason, ends the session at once and can be lifted', async () => {
    await choose(page, name, 'Ban')
    const dialog = page.getByRole('dialog', { name: `Ban user: ${name}` })
    const confirm = dialog.getByRole('button', { name: 'Ban user' })
    await expect(confirm).toBeDisabled()
    await dialog.getByLabel('Reason').fill('   ')
    await expect(confirm).toBeDisabled()
    await expect(dialog.getByLabel('Duration').getByRole('option')).toHaveText([
      '1 hour',
      '24 hours',
      '7 days',
      '30 days',
      'Permanent',
    ])
    await dialog.getByLabel('Reason').fill('Spam')
    await confirm.click()
    await expectToast(page, 'User banned successfully')
    await expect(row(page, name)).toContainText('Banned')
    await newcomer.reload()
    await expect(loginButton(newcomer)).toBeEnabled()
    await choose(page, name, 'Unban')
    await expect(
      page.getByText(`Are you sure you want to unban user "${name}"? This action cannot be undone.`),
    ).toBeVisible()
    await expect(page.getByText('To reverse it, ban them again.')).toBeVisible()
    await page.getByRole('button', { name: 'Unban' }).click()
    await expect(row(page, name)).toContainText('Active')
  })

  await test.step('the confirmation focuses Cancel first, and Escape changes nothing', async () => {
    await choose(page, name, 'Make Moderator')
    const dialog = page.getByRole('alertdialog', { name: 'Confirm action' })
    await expect(
      dialog.getByText(`Are you sure you want to make moderator user "${name}"? This action cannot be undone.`),
    ).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(row(page, name)).toContainText('User')
    await choose(page, name, 'Make Moderator')
    await dialog.getByRole('button', { name: 'Make moderator' }).click()
    await expect(row(page, name)).toContainText('Moderator')
  })
})

test('a bulk action reports the members that failed, and the last admin stays', async ({ page, signInAs }) => {
  const first = (await readOwnProfile(await signInAs('Someone new'))).username
  const second = (await readOwnProfile(await signInAs('Someone new'))).username
  await openPortal(page, '/admin/users')
  for (const name of [first, second]) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await expect(page.getByRole('region', { name: 'Selection' })).toContainText('2 selected')
  await page.getByRole('button', { name: 'Bulk actions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bulk actions: 2 users' })
  const apply = dialog.getByRole('button', { name: 'Apply' })
  await expect(apply).toBeDisabled()
  await dialog.getByLabel('Action', { exact: true }).selectOption({ label: 'Make Moderator' })
  await expect(dialog.getByLabel('Reason')).toHaveCount(0)
  await dialog.getByLabel('Action', { exact: true }).selectOption({ label: 'Issue Warning' })
  await expect(dialog.getByLabel('Duration')).toHaveCount(0)
  await expect(apply).toBeDisabled()
  await dialog.getByLabel('Action', { exact: true }).selectOption({ label: 'Ban' })
  await expect(dialog.getByLabel('Duration').getByRole('option')).toHaveText([
    '24 hours',
    '7 days',
    '30 days',
    'Permanent',
  ])
  await dialog.getByLabel('Reason').fill('Together')
  await apply.click()
  await expectToast(page, 'Bulk action completed for 2 users')
  await expect(row(page, first)).toContainText('Banned')
  await page.getByRole('button', { name: 'Clear' }).click()

  await page.goto('/admin/users?search=marlow')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Bulk actions' }).click()
  const alone = page.getByRole('dialog', { name: 'Bulk actions: 1 user' })
  await alone.getByLabel('Action', { exact: true }).selectOption({ label: 'Ban' })
  await alone.getByLabel('Reason').fill('Myself')
  await alone.getByRole('button', { name: 'Apply' }).click()
  await expect(alone.getByRole('alert')).toContainText('marlow')
  await expect(page.getByText('Failed for 1 of 1 users')).toBeVisible()
  await expect(page.getByText(/^Bulk action completed/)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(alone).toHaveCount(0)

  await test.step('the last admin cannot be removed, and the page explains why', async () => {
    await choose(page, 'marlow', 'Remove Admin')
    await page.getByRole('button', { name: 'Remove admin' }).click()
    await expectToast(page, 'Failed to remove admin')
    await expect(page.getByRole('alertdialog')).toBeVisible()
  })
})

test("a member's page shows sanctions, audit log, scripts and reviews", async ({ page, signInAs }) => {
  const newcomer = await signInAs('Someone new')
  const name = (await readOwnProfile(newcomer)).username
  await callApi(newcomer, 'POST', '/api/scripts', {
    title: 'Mine alone',
    description: 'A script.',
    script_content: 'print(1)',
  })
  await openPortal(page, `/admin/users?search=${name}`)
  await page.getByRole('table', { name: 'Users' }).getByRole('link', { name }).click()
  await expect(page).toHaveURL(/\/admin\/users\/\d+$/)
  const part = (title: string) => page.getByRole('region', { name: title })
  await expect(part('Sanctions')).toContainText('No sanctions.')
  await expect(part('Scripts')).toContainText('Mine alone')
  await choose(page, name, 'Issue Warning')
  await page.getByLabel('Reason').fill('Too loud')
  await page.getByRole('dialog').getByRole('button', { name: 'Issue warning' }).click()
  await expect(part('Sanctions')).toContainText('Too loud')
  await expect(part('Audit trail')).toContainText('Marlow warned them')
  await expect(part('Reviews')).toContainText('No reviews.')
  await page.getByRole('link', { name: 'All users' }).click()
  await expect(page).toHaveURL('/admin/users')
})

test('an admin bans people without an account: of a deleted account, or by Discord ID', async ({ page, site }) => {
  const member = { authorization: `Bearer ${await site.openSession('Someone new')}` }
  const profile = await page.request.get('/api/user-profile', { headers: member })
  const { id, username } = (await profile.json()) as { id: number; username: string }
  const admin = { authorization: `Bearer ${await site.openSession('marlow')}` }
  const warning = { action: 'warn_user', user_id: id, reason: 'Spam' }
  expect((await page.request.post('/api/admin-keys', { headers: admin, data: warning })).status()).toBe(200)
  const erased = await page.request.delete('/api/account', { headers: member, data: { username } })
  expect(erased.status()).toBe(200)

  await openPortal(page, `/admin/users/${id}`)
  await page.getByRole('button', { name: 'Ban this person' }).click()
  await page.getByLabel('Reason').fill('Spam')
  await page.getByLabel('Duration').selectOption({ label: 'Permanent' })
  await page.getByRole('button', { name: 'Ban user' }).click()
  await expectToast(page, 'User banned successfully')

  await page.getByRole('link', { name: 'All users' }).click()
  const bans = page.getByRole('region', { name: 'Bans without an account' })
  await expect(bans.getByRole('listitem').filter({ hasText: `Deleted account ${id}` })).toContainText('permanent')
  await bans.getByRole('button', { name: `Unban deleted account ${id}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unban' }).click()
  await expectToast(page, 'User unbanned successfully')
  await expect(bans).not.toContainText(`Deleted account ${id}`)

  await bans.getByRole('button', { name: 'Ban by Discord ID' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ban by Discord ID' })
  await expect(dialog.getByRole('textbox', { name: 'Discord ID' })).toBeFocused()
  await dialog.getByRole('textbox', { name: 'Discord ID' }).fill('ada#1234')
  await dialog.getByLabel('Reason').fill('Raids servers')
  await dialog.getByRole('button', { name: 'Ban user' }).click()
  await expect(dialog.getByText('Enter the ID. It has only digits.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Discord ID' }).fill(String(Date.now()).padEnd(18, '7'))
  await dialog.getByLabel('Duration').selectOption({ label: 'Permanent' })
  await dialog.getByRole('button', { name: 'Ban user' }).click()
  await expectToast(page, 'User banned successfully')
  await expect(bans.getByRole('listitem').filter({ hasText: 'Raids servers' })).toContainText('never had an account')
  await expectAccessible(page)
})

test('an admin links a Discord account to an imported member, after a confirmation', async ({ page, site }) => {
  const name = `imported_${Date.now().toString(36)}`
  const id = await site.addImportedMember(name)
  await openPortal(page, `/admin/users/${id}`)
  await expect(page.getByText('Imported', { exact: true })).toBeVisible()
  await choose(page, name, 'Link Discord Account')
  const dialog = page.getByRole('dialog', { name: `Link a Discord account: ${name}` })
  await expect(dialog.getByRole('textbox', { name: 'Discord ID' })).toBeFocused()
  await page.keyboard.type('abc')
  const submit = dialog.getByRole('button', { name: 'Link account' })
  await expect(submit).toBeDisabled()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expectAccessible(page)
  await submit.press('Enter')
  await expect(dialog.getByText('Enter the ID. It has only digits.')).toBeVisible()
  const discordId = `8${Date.now()}`
  await dialog.getByRole('textbox', { name: 'Discord ID' }).fill(discordId)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Discord account linked successfully')
  await expect(page.getByText(discordId)).toBeVisible()
  await expect(page.getByText('Imported', { exact: true })).toHaveCount(0)
  await expect(page.getByText('linked a Discord account to the imported member')).toBeVisible()
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await expect(page.getByRole('menuitem', { name: 'Link Discord Account' })).toHaveCount(0)
})
