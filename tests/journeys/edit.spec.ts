import { choosePerson, openAs } from './members.ts'
import { expect, delayRequests, expectUncovered, test, type Page } from './page.ts'
import { arriveAsNewcomer, changeScript, endSession, publishScript, rejectDraftWrites } from './publishing.ts'
import { field, MAX_IMAGE_BYTES, PIXEL, typeCode } from './upload-form.ts'

const imageFile = (buffer: Buffer) => ({ name: 'cover.png', mimeType: 'image/png', buffer })
const formOf = (page: Page) => page.getByRole('form', { name: 'Edit script' })
const openCode = (page: Page) => page.getByRole('button', { name: 'Change the code or version' }).click()
async function closeUnsaved(page: Page): Promise<void> {
  await formOf(page).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave without saving' }).click()
}
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click()

async function openEdit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`${path}/edit$`))
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
}

test.describe('an author', () => {
  test.beforeEach(async ({ page }) => arriveAsNewcomer(page))

  test('changes every field, which updates the page and its URL, then the cover, and makes the script private', async ({
    page,
  }) => {
    await openEdit(page, await publishScript(page))
    const form = formOf(page)
    await expect(form.getByRole('list', { name: 'Popular tags' }).getByRole('listitem')).toHaveCount(5)
    await expect(form.getByRole('button', { name: 'Save changes' })).toHaveAttribute('aria-disabled', 'true')
    await form.getByRole('textbox', { name: 'Title' }).fill('A loud clock')
    await form.getByRole('textbox', { name: 'Description' }).fill('Strikes every hour.')
    await field(page, 'image').locator('input[type=file]').setInputFiles(imageFile(PIXEL))
    await form.getByRole('textbox', { name: 'Tags' }).fill('bells')
    await page.keyboard.press('Enter')
    await form.getByRole('radio', { name: 'Game-specific' }).check()
    await form.getByRole('textbox', { name: 'Game ID' }).fill('42')
    await form.getByRole('radio', { name: 'FE' }).check()
    await form.getByRole('radio', { name: 'Paid' }).check()
    await form.getByRole('switch', { name: 'Working' }).uncheck()
    await form.getByRole('switch', { name: 'Key system' }).check()
    await form.getByRole('textbox', { name: 'Key link' }).fill('https://keys.example.com')
    await openCode(page)
    await form.getByRole('textbox', { name: 'Version' }).fill('1.1.0')
    await typeCode(page, 'print("Dong")\n')
    await form.getByRole('textbox', { name: 'What changed' }).fill('Bells.')
    await save(page)
    await expect(form.getByText('Changes saved.')).toBeVisible()
    await expect(form).toHaveCount(0)
    await expect(page).toHaveURL(/\/scripts\/a-loud-clock-\d+$/)
    await expect(page.getByText('Version 1.1.0 published')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('A loud clock')
    for (const text of ['Version 1.1.0', 'Strikes every hour.', 'print("Dong")', 'Not working']) {
      await expect(page.getByText(text).first()).toBeVisible()
    }
    await expect(page.getByRole('link', { name: 'Game 42' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Get a key at keys.example.com' })).toBeVisible()
    await expect(page.locator('main header img').first()).toHaveAttribute('src', /^\/media\//)
    await test.step('replaces the cover', async () => {
      const image = page.locator('main header img').first()
      const before = (await image.getAttribute('src')) ?? ''
      const input = page.getByRole('group', { name: 'Your script' }).locator('input[type=file]')
      const messages = page.getByRole('region', { name: 'Messages' })
      await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
      await expect(messages.getByText('Please select an image file.')).toBeVisible()
      await input.setInputFiles(imageFile(Buffer.alloc(MAX_IMAGE_BYTES + 1)))
      await expect(messages.getByText('Image too large. Please use an image under ~3MB.')).toBeVisible()
      await input.setInputFiles(imageFile(Buffer.from('not an image')))
      await expect(messages.getByText('Failed to update cover image. Please try again.')).toBeVisible()
      await input.setInputFiles('web/static/favicon.png')
      await expect(messages.getByText('Cover image updated successfully.')).toBeVisible()
      await expect(image).toHaveAttribute('src', /^\/media\//)
      await expect(image).not.toHaveAttribute('src', before)
    })
    await test.step('sees an error for an image that cannot be read', async () => {
      await page.evaluate(() => {
        File.prototype.arrayBuffer = () => {
          throw new Error('The file is gone.')
        }
      })
      const input = page.getByRole('group', { name: 'Your script' }).locator('input[type=file]')
      await input.setInputFiles(imageFile(PIXEL))
      await expect(page.getByText('Unexpected error.')).toBeVisible()
    })
    await test.step('makes a script private, which only its author still sees', async () => {
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await page.getByRole('radio', { name: 'Private' }).check()
      await save(page)
      await expect(form).toHaveCount(0)
      await expect(page.getByText('Private', { exact: true })).toBeVisible()
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('A loud clock')
      // Without the author's token.
      const { pathname } = new URL(page.url())
      expect((await page.request.get(pathname)).status()).toBe(404)
    })
  })

  test('edits in two tabs, which keep a draft each, and resolves the conflicts at the second save', async ({
    page,
    context,
  }) => {
    const path = await publishScript(page)
    const other = await context.newPage()
    const drafts = [
      { tab: page, title: 'Saved first', description: 'Shows the time.' },
      { tab: other, title: 'A quiet clock', description: 'Saved second.' },
    ]
    for (const { tab } of drafts) await openEdit(tab, path)
    for (const { tab } of drafts) {
      await expect(formOf(tab).getByRole('textbox', { name: 'Description' })).toHaveValue('Shows the time.')
    }
    await page.getByRole('textbox', { name: 'Title' }).fill('Saved first')
    await other.getByRole('textbox', { name: 'Description' }).fill('Saved second.')
    for (const { tab, title, description } of drafts) {
      await openEdit(tab, path)
      await expect(tab.getByText('We restored your unsaved changes.')).toBeVisible()
      await expect(formOf(tab).getByRole('textbox', { name: 'Title' })).toHaveValue(title)
      await expect(formOf(tab).getByRole('textbox', { name: 'Description' })).toHaveValue(description)
    }
    // The next tab finds the draft of a closed tab.
    await page.close()
    const third = await context.newPage()
    await openEdit(third, path)
    await expect(formOf(third).getByRole('textbox', { name: 'Title' })).toHaveValue('Saved first')
    await save(third)
    await expect(third.getByRole('heading', { level: 1 })).toHaveText('Saved first')
    await save(other)
    await expect(other.getByText('This script changed since you opened it')).toBeVisible()
    await save(other)
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Saved first')
    await expect(other.getByText('Saved second.').first()).toBeVisible()
  })

  test('restores unsaved changes, sees why saving failed, resolves conflicts, and deletes the script', async ({
    page,
  }) => {
    const path = await publishScript(page, { version: '1.0.0' })
    await openEdit(page, path)
    const form = formOf(page)
    await test.step('restores unsaved changes after closing the page and reloading', async () => {
      await page.getByRole('textbox', { name: 'Title' }).fill('Not saved yet')
      await closeUnsaved(page)
      await expect(page).toHaveURL(new RegExp(`${path}$`))
      await page.reload()
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await expect(page.getByText('We restored your unsaved changes.')).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Not saved yet')
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('A quiet clock')
    })
    await test.step('restores what was typed right before leaving, although the browser no longer stores it', async () => {
      for (const name of ['image', 'screenshots'] as const)
        await field(page, name).locator('input[type=file]').setInputFiles(imageFile(PIXEL))
      await closeUnsaved(page)
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await expect(page.getByText('We restored your unsaved changes.')).toBeVisible()
      await rejectDraftWrites(page)
      const alt = field(page, 'screenshots').getByRole('textbox')
      await alt.fill('A clock at night')
      await page.reload()
      await expect(page.getByText('We restored your unsaved changes.')).toBeVisible()
      await expect(alt).toHaveValue('A clock at night')
      for (const name of ['image', 'screenshots'] as const)
        await expect(field(page, name).locator('img')).toHaveAttribute('src', /^blob:/)
      await page.getByRole('button', { name: 'Discard changes' }).click()
      await expect(alt).toHaveCount(0)
    })
    await test.step('sees that changes are being saved, and why saving failed', async () => {
      await form.getByRole('textbox', { name: 'Title' }).fill('')
      await save(page)
      await expect(form.getByText('Failed to save changes.')).toBeVisible()
      await expect(form.getByText('Please fill in all required fields')).toBeVisible()
      await expect(form.getByRole('textbox', { name: 'Title' })).toBeFocused()
      await form.getByRole('textbox', { name: 'Title' }).fill('A clock again')
      let respond = () => {}
      const released = new Promise<void>((resolve) => {
        respond = resolve
      })
      await page.route('**/api/script-details?*', async (route) => {
        await released
        await route.fulfill({ status: 503, json: { error: 'The site is busy.', code: 'busy' } })
      })
      await save(page)
      await expect(form.getByText('Saving changes...')).toBeVisible()
      respond()
      await expect(form.getByText('Failed to save changes.')).toBeVisible()
      await expect(form.getByText('The site is busy.')).toBeVisible()
      await page.unroute('**/api/script-details?*')
    })
    await test.step('keeps what is typed while saving, on this page and after leaving it', async () => {
      const description = form.getByRole('textbox', { name: 'Description' })
      let answer = await delayRequests(page, '**/api/script-details?*')
      await save(page)
      await description.fill('Typed while saving.')
      await expect(form.getByText('Saving changes...')).toBeVisible()
      answer()
      await expect(form.getByText('Changes saved, except your latest edits.')).toBeVisible()
      await expect(form.getByRole('textbox', { name: 'Title' })).toHaveValue('A clock again')
      await expect(description).toHaveValue('Typed while saving.')
      await expect(description).toBeFocused()
      await page.unroute('**/api/script-details?*')
      answer = await delayRequests(page, '**/api/script-details?*')
      await save(page)
      await form.getByRole('textbox', { name: 'Title' }).fill('A late clock')
      await closeUnsaved(page)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('A clock again')
      answer()
      await expect(page.getByText('Your changes are live')).toHaveCount(2)
      await page.unroute('**/api/script-details?*')
      const edit = page.getByRole('link', { name: 'Edit', exact: true })
      await expectUncovered(edit)
      await edit.click()
      await expect(form.getByText('We restored your unsaved changes.')).toBeVisible()
      await expect(form.getByRole('textbox', { name: 'Title' })).toHaveValue('A late clock')
      await expect(description).toHaveValue('Typed while saving.')
      await save(page)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('A late clock')
    })
    await test.step('resolves conflicts with changes made elsewhere', async () => {
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await form.getByRole('textbox', { name: 'Title' }).fill('My title')
      await changeScript(page, path, {
        title: 'Their title',
        description: 'Their text.',
        tags: ['theirs'],
        version: '1.0.1',
      })
      const answer = await delayRequests(page, '**/api/script-details?*')
      await save(page)
      await form.getByRole('textbox', { name: 'Description' }).fill('My text.')
      answer()
      await expect(form.getByText('This script changed since you opened it')).toBeVisible()
      const conflict = form.getByRole('region', { name: 'Conflicting changes' })
      await expect(conflict.getByText('Their title')).toBeVisible()
      await expect(conflict.getByText('My title')).toBeVisible()
      await expect(conflict.getByText('My text.')).toBeVisible()
      await page.unroute('**/api/script-details?*')
      // Fields changed on one side only are merged; fields changed on both must be chosen.
      await expect(conflict.getByRole('group', { name: 'Tags' }).getByLabel('Use saved version')).toBeChecked()
      await expect(form.getByRole('button', { name: 'Save changes' })).toHaveAttribute('aria-disabled', 'true')
      await conflict.getByRole('group', { name: 'Title' }).getByLabel('Use my version').check()
      await conflict.getByRole('group', { name: 'Description' }).getByLabel('Use saved version').check()
      await expect(form.getByRole('textbox', { name: 'Description' })).toHaveValue('Their text.')
      await save(page)
      await expect(form).toHaveCount(0)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('My title')
      await expect(page.getByText('Their text.').first()).toBeVisible()
      await expect(page.getByRole('listitem').filter({ hasText: 'Version 1.0.1' })).toBeVisible()
    })
    await test.step('deletes after a confirmation, and is redirected to the scripts', async () => {
      await page.getByRole('button', { name: 'Delete' }).click()
      const dialog = page.getByRole('alertdialog')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog).toHaveCount(0)
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.route('**/api/script-details?*', (route) => route.fulfill({ status: 503, json: { error: 'Busy.' } }))
      await dialog.getByRole('button', { name: 'Delete script' }).click()
      await expect(dialog.getByText('Failed to delete script.')).toBeVisible()
      await page.unroute('**/api/script-details?*')
      let go = () => {}
      const released = new Promise<void>((resolve) => {
        go = resolve
      })
      await page.route('**/api/script-details?*', async (route) => {
        await released
        await route.continue()
      })
      await dialog.getByRole('button', { name: 'Delete script' }).click()
      await expect(dialog.getByText('Deleting script...')).toBeVisible()
      go()
      await expect(dialog.getByText('Deleted. Redirecting...')).toBeVisible()
      await expect(page).toHaveURL(/\/scripts$/)
      await expect(page.getByRole('heading', { name: 'My title' })).toHaveCount(0)
      expect((await page.request.get(path)).status()).toBe(404)
    })
  })
})

test('restores edits after the session ended and the author signed in again', async ({ page }) => {
  await openAs(page, 'okapi')
  const path = await publishScript(page, { title: 'Edited over two sessions' })
  await openEdit(page, path)
  await page.getByRole('textbox', { name: 'Description' }).fill('Typed before the session ended.')
  await endSession(page)
  await save(page)
  await expect(page.getByText('Failed to save changes.')).toBeVisible()
  await expect(page.getByText(/You've been signed out/)).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Login with Discord' }).click()
  await choosePerson(page, 'okapi')
  await expect(page).toHaveURL(new RegExp(`${path}/edit$`))
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('Typed before the session ended.')
  await save(page)
  await expect(formOf(page)).toHaveCount(0)
  await expect(page.getByText('Typed before the session ended.').first()).toBeVisible()
})

test('other members see no owner tools', async ({ page: stranger }) => {
  await arriveAsNewcomer(stranger)
  const path = await publishScript(stranger)
  await arriveAsNewcomer(stranger)
  const loaded: string[] = []
  stranger.on('request', (request) => loaded.push(request.url()))
  await stranger.goto(path)
  await expect(stranger.getByRole('button', { name: /^(All \d+ versions|View version)$/ })).toBeVisible()
  await expect(stranger.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0)
  await expect(stranger.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  expect(loaded.filter((url) => /owner-tools|codemirror|drafts|versions-panel/.test(url))).toEqual([])
  await stranger.goto(`${path}/edit`)
  await expect(stranger.getByRole('dialog').getByRole('heading', { name: 'Not your script' })).toBeVisible()
  await stranger.getByRole('link', { name: 'Show the script' }).click()
  await expect(stranger).toHaveURL(path)
  await expect(stranger.getByRole('dialog')).toHaveCount(0)
  await stranger.goto(`${path}/new-version`)
  await expect(stranger.getByRole('heading', { name: 'Not your script' })).toBeVisible()
})
