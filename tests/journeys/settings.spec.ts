import { accountButton, loginButton } from './members.ts'
import { expect, test, expectAccessible, delayRequests, onEachScreen } from './page.ts'
import { readFileSync } from 'node:fs'
import { chooseImage, openSettings, imageOfSize, save, saveButton } from './settings.ts'

const MAX_BYTES = 3_145_728
const IMAGE = 'web/static/icon-192.png'

test('the settings redirect visitors to the front page', async ({ page }) => {
  await page.goto('/profile/settings')
  await expect(page).toHaveURL(/\/$/)
  await expect(loginButton(page)).toBeEnabled()
})

test('a member edits all fields, and visitors see them', async ({ page, openVisitor }) => {
  const username = await openSettings(page)
  await expectAccessible(page)
  await chooseImage(page, 'Profile image', IMAGE)
  await chooseImage(page, 'Banner image', 'web/static/og-image.png')
  await page.getByLabel('Display name').fill('Ümit Straßenbau 🚀')
  await page.getByLabel('Bio').fill('I build docks.\nSee https://example.com/docks for more.')
  await page.getByLabel('Location').fill('Kraków, Poland')
  await page.getByLabel('Website').fill('example.com/umit')
  const links: Record<string, string> = {
    YouTube: 'https://www.youtube.com/@umit',
    GitHub: 'https://github.com/umit',
    X: 'https://x.com/umit',
    Twitch: 'https://www.twitch.tv/umit',
    Roblox: 'https://www.roblox.com/users/1/profile',
    Discord: 'umit.builds',
    'Another site': 'https://example.org/umit',
  }
  for (const [label, path] of Object.entries(links)) await page.getByLabel(label, { exact: true }).fill(path)
  await expect(page.getByText('You have unsaved changes.')).toBeVisible()
  await save(page)
  await expect(page.getByLabel('Website')).toHaveValue('https://example.com/umit')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Your profile' }).click()
  await expect(page.getByRole('link', { name: 'Edit Profile' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ümit Straßenbau 🚀')

  const visitor = await openVisitor()
  await visitor.goto(`/profile/${username}`)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Ümit Straßenbau 🚀')
  await expect(visitor.getByText(`@${username}`)).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'https://example.com/docks' })).toHaveAttribute('rel', /nofollow/)
  await expect(visitor.getByText('Kraków, Poland')).toBeVisible()
  const contact = visitor.getByRole('list', { name: 'Contact' })
  for (const url of ['https://example.com/umit', ...Object.values(links).filter((link) => link.includes('://'))]) {
    await expect(contact.locator(`a[href="${url}"]`)).toBeVisible()
  }
  await expect(contact.getByText('umit.builds')).toBeVisible()
  await expect(contact.getByText('@example.com')).toHaveCount(0)
  const pictures = await visitor
    .locator('#main header img')
    .evaluateAll((all) =>
      all.map((img) => img instanceof HTMLImageElement && img.naturalWidth > 0 && img.src.includes('/media/')),
    )
  expect(pictures).toEqual([true, true])
  await expect(visitor.getByRole('link', { name: 'Edit Profile' })).toHaveCount(0)
  await expectAccessible(visitor)
})

test('unsuitable files are rejected, and images can be removed', async ({ page }) => {
  await openSettings(page)
  await test.step('files that are too large or not images are rejected', async () => {
    await chooseImage(page, 'Profile image', imageOfSize(MAX_BYTES + 1))
    await expect(page.getByRole('alert').getByText('Image must be smaller than ~3MB')).toBeVisible()
    await expect(saveButton(page)).toBeDisabled()
    await chooseImage(page, 'Banner image', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('text') })
    await expect(page.getByRole('alert').getByText('Please select an image file.')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Banner image' })).toContainText('Please select an image file.')
    await expectAccessible(page)
    // Small enough, but not an image: only the server detects it.
    await chooseImage(page, 'Profile image', imageOfSize(1000))
    await saveButton(page).click()
    await expect(page.getByRole('form').getByRole('alert')).toContainText(/./)
    await expect(page.getByText('Profile updated successfully!')).toHaveCount(0)
  })
  await test.step('images can be removed, which updates the page header', async () => {
    const avatar = accountButton(page).locator('img')
    await page.getByRole('button', { name: 'Discard' }).click()
    await chooseImage(page, 'Profile image', IMAGE)
    await save(page)
    await expect(avatar).toHaveAttribute('src', /\/media\//)
    const imageField = page.getByRole('group', { name: 'Profile image' })
    await imageField.getByRole('button', { name: 'Remove image' }).click()
    await save(page)
    await expect(imageField.getByRole('button', { name: 'Remove image' })).toHaveCount(0)
    await expect(avatar).not.toHaveAttribute('src', /\/media\//)
  })
})

/** How the server responds to a change, and what the form shows. */
const FAILURES = [
  ['too large for the server', { status: 413 }, 'Image too large. Please use an image under ~3MB (or ~4MB base64).'],
  ['rejected with a message', { status: 403, json: { error: 'You are muted.' } }, 'You are muted.'],
  ['rejected without a message', { status: 500, body: '' }, 'Failed to update profile.'],
  ['lost in the network', undefined, 'Failed to update profile. Please try again.'],
] as const

test('failures to save and to load show an error and can be retried', async ({ page }) => {
  await openSettings(page)
  for (const [outcome, response, message] of FAILURES) {
    await test.step(`a change that is ${outcome} shows an error and stays in the form`, async () => {
      await page.getByLabel('Location').fill(outcome)
      await page.route('**/api/user-profiles', (route) => (response ? route.fulfill(response) : route.abort()))
      await saveButton(page).click()
      await expect(page.getByRole('form').getByRole('alert')).toHaveText(message)
      await expect(page.getByRole('region', { name: 'Messages' }).getByText(message)).toBeVisible()
      await expect(page.getByLabel('Location')).toHaveValue(outcome)
      await expectAccessible(page)
      await page.unroute('**/api/user-profiles')
      await saveButton(page).click()
      await expect(page.getByText('Profile updated successfully!').last()).toBeVisible()
      await expect(page.getByText('You have unsaved changes.')).toHaveCount(0)
    })
  }
  await test.step('the message of a failure does not cover the bar of the form', async () => {
    await page.getByLabel('Location').fill('Hull')
    await page.route('**/api/user-profiles', (route) => route.abort())
    await saveButton(page).click()
    const messages = page.getByRole('region', { name: 'Messages' })
    await expect(messages.getByText('Failed to update profile. Please try again.')).toBeVisible()
    const bar = page.getByText('You have unsaved changes.').locator('..')
    const bottomOf = () => messages.evaluate((element) => element.getBoundingClientRect().bottom)
    const topOfBar = () => bar.evaluate((element) => element.getBoundingClientRect().top)
    await onEachScreen(page, async () => expect(await bottomOf()).toBeLessThanOrEqual(await topOfBar()))
    await page.unroute('**/api/user-profiles')
  })
  await test.step('text typed while saving stays', async () => {
    await page.getByLabel('Location').fill('Leeds')
    const answer = await delayRequests(page, '**/api/user-profiles')
    await saveButton(page).click()
    await page.getByLabel('Bio').fill('Typed while saving.')
    answer()
    await expect(page.getByRole('button', { name: 'Discard' })).toBeEnabled()
    await expect(page.getByLabel('Bio')).toHaveValue('Typed while saving.')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByLabel('Location')).toHaveValue('Leeds')
    await page.unroute('**/api/user-profiles')
  })
  await test.step('settings that fail to load show an error and can be retried', async () => {
    await page.route('**/api/user-profiles*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Failed to load profile data' })).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/api/user-profiles*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByLabel('Display name')).toBeVisible()
  })
})

test('invalid links are marked, and leaving with unsaved changes asks for confirmation', async ({ page }) => {
  await openSettings(page)
  await test.step('invalid links are marked, and the first one has focus', async () => {
    await page.getByLabel('Website').fill('javascript:alert(1)')
    await page.getByLabel('GitHub').fill('https://example.com/somebody')
    await saveButton(page).click()
    const website = page.getByLabel('Website')
    await expect(website).toHaveAttribute('aria-invalid', 'true')
    await expect(website).toHaveAccessibleDescription(/http/)
    await expect(website).toBeFocused()
    await expectAccessible(page)
    await website.fill('https://example.com')
    await expect(website).not.toHaveAttribute('aria-invalid')
    await page.getByRole('button', { name: 'Discard' }).click()
  })
  await test.step('one invalid link is marked and stays, and everything else is saved', async () => {
    await page.getByLabel('GitHub').fill('https://example.com/somebody')
    await page.getByLabel('Instagram').fill('@some.body')
    await page.getByLabel('Bio').fill('Saved.')
    await saveButton(page).click()
    await expect(page.getByText('Profile updated successfully!')).toBeVisible()
    const gitHub = page.getByLabel('GitHub')
    await expect(gitHub).toHaveAccessibleDescription(/must lead to github\.com/)
    await expect(gitHub).toBeFocused()
    await expect(gitHub).toHaveValue('https://example.com/somebody')
    await expect(page.getByLabel('Instagram')).toHaveValue('https://www.instagram.com/some.body')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(gitHub).toHaveValue('')
    await expect(page.getByLabel('Bio')).toHaveValue('Saved.')
  })
  await test.step('leaving with unsaved changes asks for confirmation', async () => {
    await page.getByLabel('Location').fill('Half a wo')
    await page.getByRole('tab', { name: 'Privacy' }).click()
    await page.getByRole('tab', { name: 'Profile Info' }).click()
    await expect(page.getByLabel('Location')).toHaveValue('Half a wo')
    await page.getByRole('link', { name: 'Your profile' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(page.getByLabel('Location')).toHaveValue('Half a wo')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByLabel('Location')).toHaveValue('')
    await page.getByLabel('Location').fill('Half a wo')
    await page.getByRole('link', { name: 'Your profile' }).click()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect(page.getByRole('link', { name: 'Edit Profile' })).toBeVisible()
    await expect(page.getByText('Half a wo')).toHaveCount(0)
  })
})

test('a member downloads their data as one file, and deletes the account', async ({ page }) => {
  const username = await openSettings(page)
  await page.getByRole('tab', { name: 'Privacy' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`${username}-data.json`)
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toBeInstanceOf(Object)
  expect(readFileSync(await download.path(), 'utf8')).toContain(username)
  await test.step('an account is deleted after the username is typed', async () => {
    await page.getByRole('button', { name: 'Delete my account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    const confirm = dialog.getByRole('button', { name: 'Delete my account' })
    await expect(confirm).toBeDisabled()
    await dialog.getByLabel('Your username').fill(`${username}x`)
    await expect(confirm).toBeDisabled()
    await expectAccessible(page)
    await dialog.getByLabel('Your username').fill(username)
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/account', async (route) => {
      await isReleased
      await route.continue()
    })
    await confirm.click()
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeVisible()
    release()
    await expect(page.getByText('Your account has been deleted')).toBeVisible()
    await expect(page).toHaveURL(/\/$/)
    await expect(loginButton(page)).toBeEnabled()
    const response = await page.goto(`/profile/${username}`)
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'User Not Found' })).toBeVisible()
  })
})
