import { choosePerson, openAs } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, test } from './page.ts'
import { publishScript } from './publishing.ts'

test('a member creates, copies and revokes an API token with the keyboard', async ({ page, context, request }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(page, 'lin', '/profile/settings?tab=tokens')
  await expect(page.getByText('You have no API tokens.')).toBeVisible()
  await page.getByRole('button', { name: 'New token' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New API token' })
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Name must not be empty.')).toBeVisible()
  await page.keyboard.type('Release build')
  await dialog.getByRole('checkbox', { name: 'Read your favorites' }).check()
  const lifetime = dialog.getByRole('combobox', { name: 'Expires after' })
  await expect(lifetime).toHaveValue('30')
  await expect(lifetime.getByRole('option')).toHaveText(['30 days', '90 days'])
  await dialog.getByRole('button', { name: 'Create token' }).press('Enter')

  const secret = page.getByRole('textbox', { name: 'API token Release build' })
  await expect(secret).toBeFocused()
  const token = await secret.inputValue()
  expect(token).toMatch(/^sy_\w{36}$/)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Copied!')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token)
  const headers = { authorization: `Bearer ${token}` }
  expect((await request.get('/api/favorites', { headers })).status()).toBe(200)
  expect((await request.get('/api/sessions', { headers })).status()).toBe(403)

  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page)
    await expectNoOverflow(page)
  }

  // The secret is not shown again.
  await page.reload()
  await expect(page.getByRole('tab', { name: 'API tokens' })).toBeInViewport({ ratio: 1 })
  const row = page.getByRole('list', { name: 'API tokens' }).getByRole('listitem')
  await expect(row).toContainText('Release build')
  await expect(row).toContainText('scripts:write, favorites:read')
  await expect(row).toContainText('Last used just now')
  expect(await page.content()).not.toContain(token)

  await row.getByRole('button', { name: 'Revoke Release build' }).focus()
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Revoke this token?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Revoke token' }).press('Enter')
  await expect(page.getByText('You have no API tokens.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'API tokens' })).toBeFocused()
  expect((await request.get('/api/favorites', { headers })).status()).toBe(401)
})

test('creating an API token asks for a recent sign-in and continues after it', async ({ page, site }) => {
  await openAs(page, 'ada_builds', '/profile/settings?tab=tokens')
  await site.ageSignIns()
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API token' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Statistics')
  await dialog.getByRole('combobox', { name: 'Expires after' }).selectOption('90 days')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await page
    .getByRole('alertdialog', { name: "Confirm it's you" })
    .getByRole('button', { name: 'Continue with Discord' })
    .click()
  await choosePerson(page, 'ada_builds')
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Statistics')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByRole('textbox', { name: 'API token Statistics' })).toBeVisible()
})

test('an API token is limited to chosen scripts, and a token that lives too long should be replaced', async ({
  page,
  site,
}) => {
  await openAs(page, 'Someone new')
  await publishScript(page, { title: 'Evening lamp' })
  await page.goto('/profile/settings?tab=tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog', { name: 'New API token' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('One script')
  await dialog.getByRole('radio', { name: 'Only these' }).check()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await expect(dialog.getByText('Choose at least one script, or all.')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Evening lamp' }).check()
  await expectAccessible(page)
  // A token that only reads may live for a year, and has no scripts to choose.
  await dialog.getByRole('checkbox', { name: 'Publish, change and delete your scripts' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Read your favorites' }).check()
  await expect(dialog.getByRole('radio', { name: 'Only these' })).toHaveCount(0)
  const lifetime = dialog.getByRole('combobox', { name: 'Expires after' })
  await lifetime.selectOption('365 days')
  await dialog.getByRole('checkbox', { name: 'Publish, change and delete your scripts' }).check()
  await expect(lifetime).toHaveValue('90')
  await dialog.getByRole('radio', { name: 'Only these' }).check()
  await dialog.getByRole('checkbox', { name: 'Evening lamp' }).check()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const row = page.getByRole('list', { name: 'API tokens' }).getByRole('listitem')
  await expect(row).toContainText('Only for Evening lamp')
  await expect(row).not.toContainText('Replace this token')

  await site.lengthenTokens()
  await page.reload()
  await expect(row).toContainText('Replace this token: tokens that write now live at most 90 days.')
  await expectAccessible(page)
})
