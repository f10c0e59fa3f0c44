import { openAs } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, onEachDevice, type Page, PHONE, test } from './page.ts'
import { arriveAsNewcomer, changeScript, publishScript } from './publishing.ts'
import { codeEditor, typeCode } from './upload-form.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^Edit / })
const editLink = (page: Page) => page.getByRole('link', { name: 'Edit', exact: true })
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without saving?' })
const versionOf = (page: Page) => page.getByRole('textbox', { name: 'Version', exact: true })

onEachDevice(() => {
  test('the edit dialog opens over the page, names the script, and closes by Escape, back and its buttons', async ({
    page,
  }) => {
    await arriveAsNewcomer(page)
    const path = await publishScript(page, { title: 'Paper lantern' })
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await page.goto(path)
    await expect(editLink(page)).toBeVisible()
    expect(loaded.filter((url) => /edit-page|edit-form|use-edit/.test(url))).toEqual([])
    const dialog = page.getByRole('dialog', { name: 'Edit Paper lantern' })
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.goBack(),
      () => dialog.getByRole('button', { name: 'Close' }).first().click(),
      () => dialog.getByRole('button', { name: 'Close' }).last().click(),
    ]) {
      await editLink(page).press('Enter')
      await expect(dialog.getByRole('textbox', { name: 'Title' })).toHaveValue('Paper lantern')
      await expect(page).toHaveURL(`${path}/edit`)
      await expect(page).toHaveTitle(/^Edit Paper lantern/)
      await close()
      await expect(dialog).toHaveCount(0)
      await expect(page).toHaveURL(path)
      await expect(editLink(page)).toBeFocused()
    }
    await editLink(page).press('Enter')
    await expect(dialog.getByRole('textbox', { name: 'Title' })).toBeVisible()
    await expectNoOverflow(page)
    await expectAccessible(page)
    // The focus stays in the dialog.
    for (let press = 0; press < 60; press++) await page.keyboard.press('Tab')
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  })

  test('the dialog opens from its URL, and asks before unsaved changes are left', async ({ page }) => {
    await arriveAsNewcomer(page)
    const path = await publishScript(page, { title: 'Paper boat' })
    await page.goto(`${path}/edit`)
    const title = dialogOf(page).getByRole('textbox', { name: 'Title' })
    await expect(title).toHaveValue('Paper boat')
    await title.fill('Paper ship')
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => dialogOf(page).getByRole('button', { name: 'Close' }).last().click(),
    ]) {
      await leave()
      await expect(question(page)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(question(page)).toHaveCount(0)
      await expect(title).toHaveValue('Paper ship')
    }
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Leave without saving' }).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await test.step('and the back button asks as well', async () => {
      await editLink(page).click()
      await expect(title).toHaveValue('Paper ship')
      await page.goBack()
      await expect(question(page)).toBeVisible()
      await expect(page).toHaveURL(`${path}/edit`)
      await question(page).getByRole('button', { name: 'Cancel' }).click()
      await dialogOf(page).getByRole('button', { name: 'Save changes' }).click()
      await expect(dialogOf(page).getByText('Changes saved.')).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(page).toHaveURL(/\/scripts\/paper-ship-\d+$/)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Paper ship')
    })
  })

  test('the next version number is proposed, a used one is rejected, and the page of a new version says so', async ({
    page,
  }) => {
    await arriveAsNewcomer(page)
    const path = await publishScript(page, { title: 'Paper kite', version: '1.2.3' })
    await page.goto(path)
    await page.getByRole('link', { name: 'New version', exact: true }).click()
    await expect(page).toHaveURL(`${path}/new-version`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('New version of Paper kite')
    await expect(versionOf(page)).toHaveValue('1.2.4')
    const publish = page.getByRole('button', { name: 'Publish version' })
    await expect(publish).toHaveAttribute('aria-disabled', 'true')
    await typeCode(page, 'print("higher")\n')
    // They appear above the number.
    await expect(page.getByRole('region', { name: 'Differences' })).toContainText('Added: print("higher")')
    await page.getByRole('button', { name: 'Major 2.0.0' }).click()
    await expect(versionOf(page)).toHaveValue('2.0.0')
    await page.getByRole('button', { name: 'Minor 1.3.0' }).click()
    await versionOf(page).fill('1.2.3')
    await publish.click()
    const rejected = 'Version 1.2.3 is already published. Choose another number, such as 1.2.4.'
    await expect(page.getByText(rejected).first()).toBeVisible()
    await expect(versionOf(page)).toBeFocused()
    await expectNoOverflow(page)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Patch 1.2.4' }).click()
    await test.step('the differences are shown above the notes, whose first line is the subject', async () => {
      const differences = page.getByRole('region', { name: 'Differences' })
      await expect(page.getByRole('heading', { name: 'Changes since 1.2.3' })).toBeVisible()
      await expect(differences).toContainText('Added: print("higher")')
      await typeCode(page, 'print("much higher")\n')
      await expect(differences).toContainText('Added: print("much higher")')
      const notes = page.getByRole('textbox', { name: 'What changed' })
      await notes.fill(`${'x'.repeat(201)}\nMore.`)
      await publish.click()
      await expect(page.getByText(/first line of the changelog can have at most 200/).first()).toBeVisible()
      await expect(notes).toBeFocused()
      await notes.fill('Flies **higher**.\n\n- A longer string\n- A lighter frame')
      await expectNoOverflow(page)
      await expectAccessible(page)
    })
    await publish.click()
    await expect(page).toHaveURL(path)
    await expect(page.getByText('Version 1.2.4 published')).toBeVisible()
    const versions = page.getByRole('region', { name: 'Versions' })
    await expect(versions.getByText('A lighter frame')).toBeVisible()
    await versions.getByRole('button', { name: 'All 2 versions' }).click()
    const newest = versions.getByRole('list', { name: 'Versions' }).getByRole('listitem').first()
    await expect(newest).toContainText('Flies higher.')
    await newest.getByText('All notes').click()
    await expect(newest.getByText('A longer string')).toBeVisible()
    await expectAccessible(page)

    await test.step('the dialog proposes one too, also after somebody else has published it', async () => {
      await editLink(page).click()
      await dialogOf(page).getByRole('button', { name: 'Change the code or version' }).click()
      await expect(versionOf(page)).toHaveValue('1.2.5')
      await typeCode(page, 'print("highest")\n')
      await changeScript(page, path, { script_content: 'print("other")', tags: ['theirs'] })
      await dialogOf(page).getByRole('button', { name: 'Save changes' }).click()
      await dialogOf(page).getByRole('group', { name: 'Script content' }).getByLabel('Use my version').check()
      await expect(versionOf(page)).toHaveValue('1.2.6')
      await dialogOf(page).getByRole('button', { name: 'Save changes' }).click()
      await expect(page.getByText('Version 1.2.6 published')).toBeVisible()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
  })
})

test('former URLs of the edit page lead to the page of a new version', async ({ page }) => {
  await openAs(page, 'lin')
  const path = await publishScript(page)
  await page.goto(`${path}/edit?tab=version`)
  await expect(page).toHaveURL(`${path}/new-version`)
  await expect(codeEditor(page)).toBeAttached()
  await page.goto(`${path}/edit?tab=repository`)
  await expect(page).toHaveURL(`${path}/new-version?tab=repository`)
  await expect(page.getByText('No publishers yet.')).toBeVisible()
  const response = await page.request.get(`${path.replace(/[^/]+(?=-\d+$)/, 'old-title')}/edit`, { maxRedirects: 0 })
  expect([response.status(), response.headers()['location']]).toEqual([302, `${path}/edit`])
})

test.describe('in a window of 320 x 256 pixels', () => {
  test.use({ ...PHONE, viewport: { width: 320, height: 256 } })

  test('nothing is pinned, and the dialog scrolls as a whole', async ({ page }) => {
    await arriveAsNewcomer(page)
    const path = await publishScript(page)
    await page.goto(path)
    await expect(editLink(page)).toBeVisible()
    await page.evaluate(() => scrollTo(0, 600))
    const pinned = await page.evaluate(() =>
      [...document.querySelectorAll('header, nav, main div')]
        .filter((element) => /sticky|fixed/.test(getComputedStyle(element).position) && element.checkVisibility())
        .map((element) => element.className),
    )
    expect(pinned).toEqual([])
    await expect(page.getByRole('button', { name: 'Copy script' })).toBeVisible()
    await page.goto(`${path}/edit`)
    const save = dialogOf(page).getByRole('button', { name: 'Save changes' })
    await expect(save).not.toBeInViewport()
    await save.scrollIntoViewIfNeeded()
    await expect(save).toBeInViewport({ ratio: 1 })
    await expectNoOverflow(page)
    await expectAccessible(page)
  })
})
