import { openAs, signInWithDiscord } from './members.ts'
import { dismissMessages, expect, forward, test } from './page.ts'
import { arriveAsNewcomer, changeScript, countOwn, endSession, publishScript, rejectDraftWrites } from './publishing.ts'
import {
  codeEditor,
  expectNewScript,
  expectStored,
  fillRequired,
  openUpload,
  PIXEL,
  unfoldDetails,
  upload,
  waitForEditor,
} from './upload-form.ts'

test.beforeEach(async ({ page }) => {
  await arriveAsNewcomer(page)
})

test('a reload keeps the draft and its image, and neither a lost response nor a double click publish twice', async ({
  page,
}) => {
  const openEmptyForm = async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Upload' }).click()
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('')
    await waitForEditor(page)
  }
  const loseResponse = async () => {
    await page.route('**/api/scripts', async (route) => {
      await forward(route)
      await route.abort()
    })
    await upload(page)
    await expect(page.getByText('Error uploading script. Please try again.').first()).toBeVisible()
    await page.unroute('**/api/scripts')
  }
  const image = page.locator('[data-field=image]').getByRole('img')

  await test.step('a lost response and a reload keep the draft and still create one script', async () => {
    await openUpload(page)
    await fillRequired(page, 'Sent into the silence')
    await page.locator('[data-field=image] input[type=file]').setInputFiles({
      name: 'cover.png',
      mimeType: 'image/png',
      buffer: PIXEL,
    })
    await expect(image).toBeVisible()
    await page.getByRole('textbox', { name: 'Tags' }).fill('draft')
    await page.keyboard.press('Enter')
    await unfoldDetails(page)
    await page.getByRole('radio', { name: 'Paid' }).check()
    await expect(page.getByText('Draft saved in this browser')).toBeVisible()
    await expectStored(page, 'image')
    await loseResponse()
    await page.reload()
    await expect(page.getByText('Draft restored.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Sent into the silence')
    await expect(page.getByRole('list', { name: 'Chosen tags' })).toHaveText('draft')
    await expect(page.getByText('Universal, client-side, paid, public')).toBeVisible()
    await expect(image).toBeVisible()
    await expect(codeEditor(page)).toContainText('print(coins)')
    await upload(page)
    await expectNewScript(page, 'Sent into the silence')
    expect(await countOwn(page, 'Sent into the silence')).toBe(1)
  })

  await test.step('a changed draft of a published script asks before publishing again', async () => {
    await openEmptyForm()
    await fillRequired(page, 'First of a pair')
    await loseResponse()
    await page.getByRole('textbox', { name: 'Title' }).fill('Second of a pair')
    await upload(page)
    const dialog = page.getByRole('alertdialog', { name: 'Already published' })
    await dialog.getByRole('button', { name: 'Publish as a new script' }).click()
    await expectNewScript(page, 'Second of a pair')
    expect(await countOwn(page, 'First of a pair')).toBe(1)
    expect(await countOwn(page, 'Second of a pair')).toBe(1)
  })

  await test.step('a double click creates one script', async () => {
    await openEmptyForm()
    await dismissMessages(page)
    await fillRequired(page, 'Pressed in a hurry')
    await page.getByRole('button', { name: 'Upload Script' }).dblclick()
    await expectNewScript(page, 'Pressed in a hurry')
    await expect(page.getByText('Script published')).toHaveCount(1)
    expect(await countOwn(page, 'Pressed in a hurry')).toBe(1)
  })
})

test('what was typed right before leaving is restored, although the browser no longer stores it', async ({ page }) => {
  const title = page.getByRole('textbox', { name: 'Title' })
  const description = page.getByRole('textbox', { name: 'Description' })
  await openUpload(page)
  await title.fill('Typed before')
  await expect(page.getByText('Draft saved in this browser')).toBeVisible()
  await page.locator('[data-field=image] input[type=file]').setInputFiles({
    name: 'cover.png',
    mimeType: 'image/png',
    buffer: PIXEL,
  })
  // The image was stored when it was chosen; the browser stores nothing from here on.
  await rejectDraftWrites(page)
  await expectStored(page, 'image')
  await description.fill('Typed while leaving')
  await page.reload()
  await expect(page.getByText('Draft restored.')).toBeVisible()
  await expect(title).toHaveValue('Typed before')
  await expect(description).toHaveValue('Typed while leaving')
  await expect(page.locator('[data-field=image]').getByRole('img')).toBeVisible()

  await test.step('newer changes are stored as usual', async () => {
    await title.fill('Typed after')
    await expect(page.getByText('Draft saved in this browser')).toBeVisible()
    await page.reload()
    await expect(title).toHaveValue('Typed after')
    await expect(description).toHaveValue('Typed while leaving')
  })
  await test.step('nothing is left of a discarded draft', async () => {
    await rejectDraftWrites(page)
    await title.fill('Typed last')
    await page.reload()
    await expect(title).toHaveValue('Typed last')
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await page.getByRole('button', { name: 'Click again to discard' }).click()
    await expect(title).toHaveValue('')
    await page.reload()
    await waitForEditor(page)
    await expect(title).toHaveValue('')
  })
})

test('each tab keeps its own draft, also after the first is closed', async ({ page, context }) => {
  await openUpload(page)
  await page.getByRole('textbox', { name: 'Title' }).fill('From the first tab')
  const second = await context.newPage()
  await openUpload(second)
  await expect(second.getByRole('textbox', { name: 'Title' })).toHaveValue('')
  await second.getByRole('textbox', { name: 'Title' }).fill('From the second tab')
  await expect(second.getByText('Draft saved in this browser')).toBeVisible()
  await page.close()
  await second.reload()
  await expect(second.getByRole('textbox', { name: 'Title' })).toHaveValue('From the second tab')
  const third = await context.newPage()
  await openUpload(third)
  await expect(third.getByRole('textbox', { name: 'Title' })).toHaveValue('From the first tab')
})

test('restores the draft after the session ended and the member signed in again', async ({ page }) => {
  // A demo member, because new members cannot sign in twice.
  await openAs(page, 'okapi')
  await openUpload(page)
  await fillRequired(page, 'Written across two sessions')
  await endSession(page)
  await upload(page)
  await expect(page.getByText('Error uploading script. Please try again.')).toBeVisible()
  await expect(page.getByText(/You've been signed out/)).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await signInWithDiscord(page, 'okapi')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Upload' }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Written across two sessions')
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue(/Counts the coins/)
  await expect(codeEditor(page)).toContainText('print(coins)')
  await upload(page)
  await expectNewScript(page, 'Written across two sessions')
})

test('a script of one line of 1 MiB is accepted, shown and edited', async ({ page }) => {
  const line = `return "${'x'.repeat(1_048_576 - 9)}"`
  const path = await publishScript(page, { title: 'One long line', script_content: line })
  await page.goto(path)
  await page.getByRole('link', { name: 'New version', exact: true }).click()
  await waitForEditor(page)
  await expect(page.getByText('1,048,576 of 1,048,576 bytes')).toBeVisible()
  await page.goto(`${path}/edit`)
  await page.getByRole('textbox', { name: 'Title' }).fill('One very long line')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One very long line')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Upload' }).click()
  await waitForEditor(page)
  await page.locator('[data-field=script_content] input[type=file]').setInputFiles({
    name: 'long.lua',
    mimeType: '',
    buffer: Buffer.from(line),
  })
  await expect(page.getByText('1,048,576 of 1,048,576 bytes')).toBeVisible()
  await codeEditor(page).press('Home')
  await page.keyboard.type('--')
  await expect(page.getByText('1,048,578 of 1,048,576 bytes')).toBeVisible()
  await page.getByRole('textbox', { name: 'Title' }).fill('Too long by two bytes')
  await page.getByRole('textbox', { name: 'Description' }).fill('Does not fit.')
  await upload(page)
  await expect(page.getByText(/The code is over 1 MB/)).toBeVisible()
})

test('a title that is read from right to left does not affect surrounding text', async ({ page }) => {
  const title = 'سكربت Signal 2'
  const path = await publishScript(page, { title })
  await changeScript(page, path, { description: 'Seen from both sides.' })
  await page.goto(path)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading.locator('bdi')).toHaveText(title)
  // The rest of the line keeps its direction.
  expect(await heading.locator('bdi').evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate')
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog')
  expect(await dialog.locator('bdi').evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate')
})
