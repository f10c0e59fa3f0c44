import { deflateSync, crc32 } from 'node:zlib'
import {
  expect,
  expectAccessible,
  expectGoodOnEachScreen,
  expectNoOverflow,
  findScript,
  measureLayoutShift,
  onEachScreen,
  open,
  PHONE,
  test,
  type Page,
  onEachDevice,
} from './page.ts'
import { arriveAsNewcomer, publishScript } from './publishing.ts'
import {
  expectNewScript,
  expectStored,
  field,
  fillRequired,
  openUpload,
  transferFile,
  unfoldDetails,
  upload,
} from './upload-form.ts'

/** A PNG file of one color, 16 by 9 pixels. */
function png(name: string, red: number) {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: 16 }, () => Buffer.from([red, 60, 200]))])
  const buffer = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.from([0, 0, 0, 16, 0, 0, 0, 9, 8, 2, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: 9 }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { name, mimeType: 'image/png', buffer }
}

const screenshots = (page: Page) => field(page, 'screenshots')
const rows = (page: Page) => screenshots(page).getByRole('listitem')
const alts = (page: Page) => screenshots(page).getByRole('textbox')
const gallery = (page: Page) => page.getByRole('list', { name: 'Screenshots' })
const choose = (page: Page, ...files: ReturnType<typeof png>[]) =>
  screenshots(page).locator('input[type=file]').setInputFiles(files)

async function expectAlts(page: Page, expected: string[]): Promise<void> {
  await expect(alts(page)).toHaveCount(expected.length)
  for (const [i, alt] of expected.entries()) await expect(alts(page).nth(i)).toHaveValue(alt)
}

test.describe('in the upload form', () => {
  test.beforeEach(async ({ page }) => arriveAsNewcomer(page))

  test('screenshots are added, described, ordered by keyboard, and published in order', async ({ page }) => {
    await openUpload(page)
    await unfoldDetails(page)
    await fillRequired(page, 'Lamp with a menu')
    await choose(page, png('main-menu.png', 10), png('IMG_0001.png', 90), png('shop window.png', 170))
    await expectAlts(page, ['Main menu', 'Screenshot of Lamp with a menu', 'Shop window'])
    await alts(page).nth(1).fill('The lamp, lit')
    await screenshots(page).getByRole('button', { name: 'Move screenshot 3 up' }).focus()
    await page.keyboard.press('Enter')
    await expectAlts(page, ['Main menu', 'Shop window', 'The lamp, lit'])
    await expect(screenshots(page).getByRole('status')).toHaveText('Shop window is now 2 of 3.')
    // The button that was pressed keeps the focus, also at the end of the list.
    await page.keyboard.press('Enter')
    await expect(screenshots(page).getByRole('button', { name: 'Move screenshot 1 up' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectAlts(page, ['Shop window', 'Main menu', 'The lamp, lit'])
    await expectGoodOnEachScreen(page)
    await upload(page)
    await expectNewScript(page, 'Lamp with a menu')
    await expect(gallery(page).getByRole('img')).toHaveCount(3)
    for (const [i, alt] of ['Shop window', 'Main menu', 'The lamp, lit'].entries()) {
      await expect(gallery(page).getByRole('img').nth(i)).toHaveAttribute('alt', alt)
    }
  })

  test('are dragged, dropped as files, pasted and removed', async ({ page }) => {
    await openUpload(page)
    await unfoldDetails(page)
    await choose(page, png('first picture.png', 10), png('second picture.png', 90), png('third picture.png', 170))
    await rows(page).nth(0).locator('[draggable=true]').dragTo(rows(page).nth(2))
    await expectAlts(page, ['Second picture', 'Third picture', 'First picture'])
    for (const kind of ['drop', 'paste'] as const) {
      const text = png('x', kind === 'drop' ? 1 : 2).buffer.toString('latin1')
      await transferFile(screenshots(page), kind, { name: `by ${kind}.png`, type: 'image/png', text })
    }
    await expectAlts(page, ['Second picture', 'Third picture', 'First picture', 'By drop', 'By paste'])
    await screenshots(page).getByRole('button', { name: 'Remove screenshot 1' }).click()
    await expectAlts(page, ['Third picture', 'First picture', 'By drop', 'By paste'])
    await expect(screenshots(page).getByRole('button', { name: 'Remove screenshot 1' })).toBeFocused()
    // Pasting here does not replace the cover.
    await expect(field(page, 'image').getByRole('img')).toHaveCount(0)
  })

  test('come back with the draft, and need a description', async ({ page }) => {
    await openUpload(page)
    await unfoldDetails(page)
    await fillRequired(page, 'Lamp in a draft')
    await choose(page, png('main-menu.png', 10), png('shop-window.png', 90))
    await expectStored(page, 'screenshots')
    await alts(page).nth(1).fill('The shop')
    await openUpload(page)
    await unfoldDetails(page)
    await expect(page.getByText('Draft restored.')).toBeVisible()
    await expectAlts(page, ['Main menu', 'The shop'])
    await alts(page).nth(1).fill(' ')
    await upload(page)
    await expect(alts(page).nth(1)).toBeFocused()
    await expect(screenshots(page).getByText('Say in a few words what each screenshot shows.')).toBeVisible()
    await onEachScreen(page, () => expectAccessible(page))
    await alts(page).nth(1).fill('The shop')
    await upload(page)
    await expectNewScript(page, 'Lamp in a draft')
    await expect(gallery(page).getByRole('img')).toHaveCount(2)
  })
})

test.describe('on a phone', () => {
  test.use(PHONE)

  test('more than eight, other files and images that are too large are rejected with a reason', async ({ page }) => {
    await arriveAsNewcomer(page)
    await openUpload(page)
    await unfoldDetails(page)
    await choose(page, ...Array.from({ length: 9 }, (_, i) => png(`number ${'abcdefghi'[i] ?? ''} menu.png`, i)))
    await expect(rows(page)).toHaveCount(8)
    await expect(screenshots(page).getByText('A script can have 8 screenshots.')).toBeVisible()
    await screenshots(page).getByRole('button', { name: 'Remove screenshot 8' }).click()
    await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await expect(screenshots(page).getByText('Choose image files only.')).toBeVisible()
    await choose(page, { name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(3_145_729) })
    await expect(screenshots(page).getByText('Each image must be smaller than 3 MB.')).toBeVisible()
    await expect(rows(page)).toHaveCount(7)
  })

  test('an author changes the screenshots of a script', async ({ page }) => {
    await arriveAsNewcomer(page)
    await page.goto(`${await publishScript(page, { title: 'Lamp to edit' })}/edit`)
    await choose(page, png('main-menu.png', 10), png('shop-window.png', 90))
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(gallery(page).getByRole('img')).toHaveCount(2)
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await expectAlts(page, ['Main menu', 'Shop window'])
    await screenshots(page).getByRole('button', { name: 'Remove screenshot 1' }).click()
    await alts(page).first().fill('The shop')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(gallery(page).getByRole('img')).toHaveCount(1)
    await expect(gallery(page).getByRole('img')).toHaveAttribute('alt', 'The shop')
  })
})

onEachDevice(() => {
  test('the screenshots of a script shift nothing while they load, and open in a dialog that works by keyboard', async ({
    page,
  }) => {
    await open(page, await findScript(page, 'settings menu'))
    await gallery(page).scrollIntoViewIfNeeded()
    const first = gallery(page).getByRole('img').first()
    await expect.poll(() => first.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    expect(await measureLayoutShift(page)).toBeLessThan(0.01)

    const links = gallery(page).getByRole('link')
    await expect(links).toHaveCount(2)
    await links.first().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Screenshot 1 of 2' })
    await expect(dialog.getByRole('img', { name: /two sliders/ })).toBeVisible()
    await expectAccessible(page)
    await expectNoOverflow(page)
    await page.keyboard.press('ArrowRight')
    const second = page.getByRole('dialog', { name: 'Screenshot 2 of 2' })
    await expect(second.getByRole('img', { name: /four choices/ })).toBeVisible()
    await expect(second.getByRole('status')).toHaveText('2 of 2: A setting with four choices, opened')
    await second.getByRole('button', { name: 'Next screenshot' }).click()
    await expect(dialog.getByRole('status')).toHaveText(/^1 of 2: .*two sliders/)
    await page.keyboard.press('ArrowLeft')
    await expect(second).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(links.first()).toBeFocused()
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('screenshots are links to the images', async ({ page }) => {
    await page.goto(await findScript(page, 'settings menu'))
    const path = (await gallery(page).getByRole('link').first().getAttribute('href')) ?? ''
    expect(path).toMatch(/^\/media\/[0-9a-f]{64}\.webp$/)
    expect((await page.request.get(path)).headers()['content-type']).toBe('image/webp')
  })
})
