import type { Locator } from '@playwright/test'
import { chooseAccountEntry, loginButton, openAs } from './members.ts'
import { expect, expectAccessible, expectGoodOnEachScreen, onEachDevice, open, test } from './page.ts'
import { arriveAsNewcomer, countOwn } from './publishing.ts'
import {
  codeEditor,
  expectNewScript,
  field,
  fillRequired,
  MAX_IMAGE_BYTES,
  openUpload,
  PIXEL,
  transferFile,
  typeCode,
  unfoldDetails,
  upload,
  waitForEditor,
} from './upload-form.ts'

test('a visitor is redirected to the front page, sees why, and returns after signing in', async ({ page }) => {
  await open(page, '/popular')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Upload' }).click()
  await expect(page).toHaveURL(/\/$/)
  const notice = page.getByRole('status').filter({ hasText: 'Sign in to upload a script' })
  await expectAccessible(page)
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await expect(notice).toHaveCount(0)
  // The front page never appears without the notice, which would then push it down.
  await page.addInitScript(() => {
    const check = () => {
      const isFront = document.querySelector('main h1')?.textContent === 'Scriptyard'
      if (isFront && !document.body.textContent.includes('Sign in to upload a script')) {
        document.documentElement.dataset['withoutNotice'] = 'true'
      }
    }
    new MutationObserver(check).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/upload')
  await expect(notice).toBeVisible()
  await expect(page.locator('html')).not.toHaveAttribute('data-without-notice')
  await notice.getByRole('button', { name: 'Login with Discord' }).click()
  await page
    .getByRole('button', { name: /^ada_builds/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/upload$/)
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
  const { profile } = (await (await page.request.get('/api/user-profiles?user_id=ada_builds')).json()) as {
    profile: { display_name: string }
  }
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText(profile.display_name)
})

test('members who sign out are not asked to sign in', async ({ page }) => {
  await openAs(page, 'lin', '/upload')
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeVisible()
  await chooseAccountEntry(page, 'Sign out')
  await expect(page).toHaveURL(/\/$/)
  await expect(loginButton(page)).toBeEnabled()
  await expect(page.getByText('Sign in to upload a script')).toHaveCount(0)
})

test.describe('a member', () => {
  test.beforeEach(async ({ page }) => {
    await arriveAsNewcomer(page)
    await openUpload(page)
  })

  test('sees the errors of form and server, then publishes with every field, and sees all of them on the page', async ({
    page,
  }) => {
    await test.step('sees what the rules of the server reject before the form is sent', async () => {
      await fillRequired(page, 'Rejected by the server')
      await unfoldDetails(page)
      await page.getByRole('switch', { name: 'Key system' }).check()
      await page.getByRole('textbox', { name: 'Key link' }).fill('https://name:word@example.com')
      await typeCode(page, 'print("a\u0007b")')
      await upload(page)
      await expect(page.getByText('Please check the highlighted fields')).toBeVisible()
      await expect(field(page, 'key_system_url').getByText(/must not contain a user name/)).toBeVisible()
      await expect(field(page, 'script_content').getByText(/U\+0007 in line 1/)).toBeVisible()
      await expect(codeEditor(page)).toBeFocused()
    })
    await test.step('sees the errors of the server, and nothing is saved', async () => {
      await page.getByRole('switch', { name: 'Key system' }).uncheck()
      await fillRequired(page, 'Rejected by the server')
      await page.locator('[data-field=image] input[type=file]').setInputFiles({
        name: 'cover.png',
        mimeType: 'image/png',
        buffer: Buffer.from('not an image'),
      })
      await upload(page)
      await expect(page.getByText('Error uploading script. Please try again.')).toBeVisible()
      await expect(field(page, 'image').getByText(/This file is not supported|could not be read/)).toBeVisible()
      await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Rejected by the server')
      expect(await countOwn(page, 'Rejected by the server')).toBe(0)
    })
    await test.step('publishes with every field, and sees all of them on the page', async () => {
      await fillRequired(page, 'Coin counter of every kind')
      const summary = page.getByRole('textbox', { name: 'Summary' })
      await expect(summary).toHaveAttribute('placeholder', 'Counts the coins that somebody picks up.')
      await summary.fill('Never lose a coin again.')
      await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('Never lose a coin again.')
      await page.getByRole('textbox', { name: 'Version' }).fill('2.1.0')
      await page.locator('[data-field=image] input[type=file]').setInputFiles({
        name: 'cover.png',
        mimeType: 'image/png',
        buffer: PIXEL,
      })
      await expect(field(page, 'image').getByRole('img')).toBeVisible()
      await page.getByRole('textbox', { name: 'Tags' }).fill('coins')
      await page.keyboard.press('Enter')
      await page.getByRole('radio', { name: 'Game-specific' }).check()
      await page.getByRole('textbox', { name: 'Game ID' }).fill('1234567890')
      await page.getByRole('radio', { name: 'FE' }).check()
      await page.getByRole('radio', { name: 'Paid' }).check()
      await page.getByRole('switch', { name: 'Mobile compatible' }).uncheck()
      await page.getByRole('switch', { name: 'Key system' }).check()
      await page.getByRole('textbox', { name: 'Key link' }).fill('https://keys.example.com/coins')
      await upload(page)
      await expectNewScript(page, 'Coin counter of every kind')
      await expect(page.locator('main header').getByText('Never lose a coin again.')).toBeVisible()
      for (const name of ['name="description"', 'property="og:description"']) {
        await expect(page.locator(`meta[${name}]`)).toHaveAttribute('content', 'Never lose a coin again.')
      }
      const preview = await page.locator('meta[property="og:image"]').getAttribute('content')
      expect((await page.request.get(preview ?? '')).headers()['content-type']).toBe('image/jpeg')
      await expect(page.locator('main header').getByText('Version 2.1.0', { exact: true })).toBeVisible()
      await expect(page.getByRole('list', { name: 'Badges' })).toContainText(/Paid/)
      await expect(page.locator('main').getByRole('link', { name: 'coins', exact: true })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Game 1234567890' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Get a key at keys.example.com' })).toBeVisible()
      await expect(page.locator('main header img').first()).toHaveAttribute('src', /^\/media\//)
      await expect(page.getByText('local coins = 0')).toBeVisible()
      // Lists update immediately.
      expect(await countOwn(page, 'Coin counter of every kind')).toBe(1)
    })
  })

  test('fills in each field of the form, and sees defaults, errors and a preview', async ({ page }) => {
    await test.step('sees the default values first', async () => {
      await expect(page.getByRole('textbox', { name: 'Version' })).toHaveValue('1.0.0')
      await expect(page.getByText('Universal, client-side, free, public', { exact: true })).toBeVisible()
      await unfoldDetails(page)
      for (const name of ['Universal', 'Client-side', 'Free', 'Public']) {
        await expect(page.getByRole('radio', { name })).toBeChecked()
      }
      await expect(page.getByRole('switch', { name: 'Working' })).toBeChecked()
      await expect(page.getByRole('switch', { name: 'Key system' })).not.toBeChecked()
      const headings = page.getByRole('form').getByRole('heading', { level: 2 })
      await expect(headings).toHaveText([
        'Script Content',
        'Basic Information',
        'Tags & Categories',
        'Script Properties',
        'Access Control',
      ])
      await expect(page.getByRole('list', { name: 'Popular tags' }).getByRole('listitem')).toHaveCount(8)
    })
    await test.step('sees the missing fields marked, with the first one focused', async () => {
      await upload(page)
      await expect(page.getByRole('alert').getByText('Please fill in all required fields')).toBeVisible()
      for (const name of ['title', 'description', 'script_content']) {
        await expect(field(page, name).locator('[aria-invalid=true]')).toHaveCount(1)
      }
      await expect(codeEditor(page)).toBeFocused()
      await page.getByRole('textbox', { name: 'Title' }).fill('Named now')
      await expect(field(page, 'title').locator('[aria-invalid]')).toHaveCount(0)
    })
    await test.step('adds, picks and removes tags, without duplicates and in lower case', async () => {
      const box = page.getByRole('textbox', { name: 'Tags' })
      for (const typed of ['  Arena ', '#arena', 'fast, Bright']) {
        await box.fill(typed)
        await page.keyboard.press('Enter')
      }
      const chosen = page.getByRole('list', { name: 'Chosen tags' }).getByRole('listitem')
      await expect(chosen).toHaveText(['arena', 'fast', 'bright'])
      const popular = page.getByRole('list', { name: 'Popular tags' }).getByRole('button').first()
      const name = (await popular.innerText()).trim()
      await popular.click()
      await expect(chosen).toHaveText(['arena', 'fast', 'bright', name])
      await page.getByRole('button', { name: 'Remove fast' }).click()
      await expect(chosen).toHaveText(['arena', 'bright', name])
      await expect(box).toBeFocused()
      await box.fill('x'.repeat(31))
      await page.keyboard.press('Enter')
      await expect(field(page, 'tags').getByText('Tags can have at most 30 characters.')).toBeVisible()
    })
    await test.step('sees only the fields that apply, and hidden fields are cleared', async () => {
      const game = page.getByRole('textbox', { name: 'Game ID' })
      const key = page.getByRole('textbox', { name: 'Key link' })
      await expect(game).toHaveCount(0)
      await expect(key).toHaveCount(0)
      await page.getByRole('radio', { name: 'Game-specific' }).check()
      await game.fill('77')
      await page.getByRole('switch', { name: 'Key system' }).check()
      await key.fill('https://example.com')
      await page.getByRole('radio', { name: 'Universal' }).check()
      await page.getByRole('switch', { name: 'Key system' }).uncheck()
      await page.getByRole('radio', { name: 'Game-specific' }).check()
      await page.getByRole('switch', { name: 'Key system' }).check()
      await expect(game).toHaveValue('')
      await expect(key).toHaveValue('')
    })
    await test.step('adds an image by drag and drop or paste, and removes it', async () => {
      const file = { name: 'cover.png', type: 'image/png', text: PIXEL.toString('latin1') }
      const image = field(page, 'image').getByRole('img')
      await transferFile(field(page, 'image'), 'drop', file)
      await expect(image).toBeVisible()
      await page.getByRole('button', { name: 'Remove image' }).click()
      await expect(image).toHaveCount(0)
      await transferFile(page.locator('body'), 'paste', file)
      await expect(image).toBeVisible()
      await page.getByRole('button', { name: 'Remove image' }).click()
      await expect(image).toHaveCount(0)
    })
    await test.step('can add an image of up to 3,145,728 bytes', async () => {
      const chooseFile = (bytes: number) =>
        page.locator('[data-field=image] input[type=file]').setInputFiles({
          name: 'large.png',
          mimeType: 'image/png',
          buffer: Buffer.alloc(bytes),
        })
      await chooseFile(MAX_IMAGE_BYTES + 1)
      await expect(page.getByRole('alert').getByText('Image must be smaller than ~3MB')).toBeVisible()
      await expect(field(page, 'image').getByText('Image must be smaller than ~3MB')).toBeVisible()
      await expect(field(page, 'image').getByRole('img')).toHaveCount(0)
      await chooseFile(MAX_IMAGE_BYTES)
      await expect(field(page, 'image').getByRole('img')).toHaveCount(1)
      await expect(field(page, 'image').getByText('Image must be smaller than ~3MB')).toHaveCount(0)
    })
    await test.step('drops a code file and sees its line and byte counts', async () => {
      const editor = codeEditor(page)
      await transferFile(editor, 'drop', { name: 'a.luau', type: '', text: 'print(1)\r\nprint(2)\r\n' })
      await expect(editor).toContainText('print(2)')
      await expect(field(page, 'script_content').getByText('2 lines')).toBeVisible()
      await expect(field(page, 'script_content').getByText('20 of 1,048,576 bytes')).toBeVisible()
      await transferFile(editor, 'drop', { name: 'a.exe', type: '', text: 'MZ' })
      await expect(field(page, 'script_content').getByText('Choose a .lua, .luau or .txt file.')).toBeVisible()
      await expect(editor).toContainText('print(2)')
    })
    await test.step('sees a live preview of the card and the page', async () => {
      const preview = page.getByRole('complementary', { name: 'Preview' })
      await page.getByRole('textbox', { name: 'Title' }).fill('A lamp that listens')
      await page.getByRole('radio', { name: 'Paid' }).check()
      await expect(preview.getByRole('heading', { name: 'A lamp that listens', includeHidden: true })).toBeVisible()
      await page.getByRole('textbox', { name: 'Description' }).fill('Turns on when somebody speaks.')
      await preview.getByRole('button', { name: 'Page' }).click()
      await expect(preview.getByText('Turns on when somebody speaks.')).toBeVisible()
      await expect(preview.getByText('Paid')).toBeVisible()
    })
  })

  test('publishes a file with its line breaks, also after an edit', async ({ page }) => {
    await fillRequired(page, 'A file with line breaks')
    const publish = async (code: string, typed: string) => {
      await page.locator('[data-field=script_content] input[type=file]').setInputFiles({
        name: 'lamp.luau',
        mimeType: 'text/plain',
        buffer: Buffer.from(`\uFEFF${code}`),
      })
      await expect(field(page, 'script_content').getByText(`${Buffer.byteLength(code)} of`)).toBeVisible()
      await codeEditor(page).press('Control+End')
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
      await expect(field(page, 'script_content').getByText(/^(?!0 )\d+ lines$/)).toBeVisible()
    }
    await publish('-- one\r\nprint(1)\r\n', '-- two')
    await upload(page)
    await expectNewScript(page, 'A file with line breaks')
    const slug = new URL(page.url()).pathname.split('/').at(-1)
    expect((await (await page.request.get(`/raw/${slug}`)).body()).toString()).toBe('-- one\r\nprint(1)\r\n-- two\r\n')
    await openUpload(page)
    await fillRequired(page, 'A file with lone returns')
    await publish('-- one\rprint(1)\r\nprint(2)\n', '-- two')
    await upload(page)
    await expectNewScript(page, 'A file with lone returns')
    const other = new URL(page.url()).pathname.split('/').at(-1)
    expect((await (await page.request.get(`/raw/${other}`)).body()).toString()).toBe(
      '-- one\rprint(1)\r\nprint(2)\n-- two\n',
    )
  })

  test('leaves an empty form without confirmation, and a draft with one', async ({ page }) => {
    const openAgain = async () => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Upload' }).click()
      await waitForEditor(page)
    }
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL(/\/scripts$/)
    await openAgain()
    await page.getByRole('textbox', { name: 'Title' }).fill('Half a thought')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Keep draft' }).click()
    await expect(page).toHaveURL(/\/scripts$/)
    await openAgain()
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Half a thought')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard draft' }).click()
    await expect(page).toHaveURL(/\/scripts$/)
    await openAgain()
    await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('')
  })

  test('fills in and submits the form by keyboard, in the order of sight', async ({ page }) => {
    const tabTo = async (target: Locator) => {
      for (let step = 0; step < 60; step++) {
        await page.keyboard.press('Tab')
        if (await target.evaluate((element) => element.matches(':focus'))) return
      }
    }
    await page.getByRole('button', { name: 'Choose a file' }).focus()
    await page.keyboard.press('Tab')
    await expect(codeEditor(page)).toBeFocused()
    await page.keyboard.type('return 1\n')
    await page.keyboard.press('Tab')
    await expect(codeEditor(page)).toBeFocused()
    // Appears after the editor when the code has been checked.
    const declare = page.getByRole('button', { name: 'Declare something' })
    await expect(declare).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    const type = page.getByRole('combobox', { name: 'Script type' })
    await expect(type).toBeFocused()
    await expect(type).toHaveValue('ModuleScript')
    await tabTo(declare)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
    await page.keyboard.type('By the keyboard alone')
    await tabTo(page.getByRole('textbox', { name: 'Description' }))
    await page.keyboard.type('Nothing else was touched.')
    const fold = page.locator('summary', { hasText: 'Script Properties' })
    await tabTo(fold)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('radio', { name: 'Universal' })).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await tabTo(page.getByRole('textbox', { name: 'Game ID' }))
    await page.keyboard.type('x')
    await fold.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Game x, client-side, free, public')).toBeVisible()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await test.step('an error in a folded field unfolds it and takes the focus', async () => {
      const game = page.getByRole('textbox', { name: 'Game ID' })
      await expect(game).toBeFocused()
      await expect(game).toHaveAccessibleDescription(/Digits only/)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type('1234')
    })
    await tabTo(page.getByRole('button', { name: 'Upload Script' }))
    await page.keyboard.press('Enter')
    await expectNewScript(page, 'By the keyboard alone')
  })
})

onEachDevice(() => {
  test('publishing begins with a dropped file, from which title, type and tags are proposed', async ({ page }) => {
    await openAs(page, 'lin')
    await openUpload(page)
    const title = page.getByRole('textbox', { name: 'Title' })
    const type = page.getByRole('combobox', { name: 'Script type' })
    const drop = (name: string, text: string) => transferFile(codeEditor(page), 'drop', { name, type: '', text })
    await expect(page.getByText('Drop your script here')).toBeVisible()
    await expectAccessible(page)
    const code = 'local camera = workspace.CurrentCamera\ncamera.FieldOfView = 90\n'
    await drop('wideCamera.client.luau', code)
    await expect(page.getByText('wideCamera.client.luau')).toBeVisible()
    await expect(page.getByText('Drop your script here')).toHaveCount(0)
    await expect(title).toHaveValue('Wide Camera')
    await expect(title).toHaveAccessibleDescription(/Proposed/)
    await expect(type).toHaveValue('LocalScript')
    await expect(type).toHaveAccessibleDescription(/Proposed/)
    await page.getByRole('list', { name: 'Proposed tags' }).getByRole('button', { name: 'Add camera' }).click()
    await expect(page.getByRole('list', { name: 'Chosen tags' })).toHaveText('camera')
    await expectGoodOnEachScreen(page)
    await test.step('another file replaces what was proposed, but not what the author wrote', async () => {
      await title.fill('My wide camera')
      await expect(title).not.toHaveAccessibleDescription(/Proposed/)
      await drop('zoom.lua', `${code}return { zoom = camera }\n`)
      await expect(type).toHaveValue('ModuleScript')
      await expect(title).toHaveValue('My wide camera')
    })
    await page.getByRole('textbox', { name: 'Description' }).fill('Sees more of the world.')
    await upload(page)
    await expectNewScript(page, 'My wide camera')
    await expect(page.locator('main').getByText('ModuleScript').first()).toBeVisible()
  })
})
