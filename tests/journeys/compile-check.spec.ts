import { expect, expectAccessible, test, type Page } from './page.ts'
import { arriveAsNewcomer, publishScript } from './publishing.ts'
import {
  codeEditor,
  expectNewScript,
  fillRequired,
  openUpload,
  typeCode,
  upload,
  waitForEditor,
} from './upload-form.ts'

const errorLine = (page: Page) => page.locator('[data-shadow] .cm-error-line')
const errorText = (page: Page) => page.locator('[data-shadow] .cm-error')

test('an error of the compiler is marked at its line while the author types, and does not stop them', async ({
  page,
}) => {
  await arriveAsNewcomer(page)
  await openUpload(page)
  await fillRequired(page, 'A counter with an error')
  await typeCode(page, 'local coins = 0\n\nlocal total = coins +\nend\nprint(total)\n')
  await expect(errorLine(page)).toHaveText('4')
  await expect(errorText(page)).toHaveText('end')
  const note = page.getByText("doesn't compile: Expected identifier when parsing expression, got 'end'")
  await expect(note.first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: "Line 4 doesn't compile" })).toBeAttached()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Line 4' }).focus()
  await page.keyboard.press('Enter')
  await expect(codeEditor(page)).toBeFocused()
  await page.keyboard.press('Shift+End')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText('1')
  await expect(note).toHaveCount(0)
  await expect(errorLine(page)).toHaveCount(0)

  await page.keyboard.insertText(' = = 2')
  await expect(errorLine(page)).toHaveText('4')
  await upload(page)
  await expectNewScript(page, 'A counter with an error')
})

test('code that the compiler cannot handle shows no error', async ({ page }) => {
  await arriveAsNewcomer(page)
  await openUpload(page)
  await typeCode(page, 'local = 1')
  await expect(errorLine(page)).toHaveText('1')
  await typeCode(page, `return ${'{'.repeat(5000)}`)
  await expect(errorLine(page)).toHaveCount(0)
  await typeCode(page, 'local a = 1\nlocal = 2')
  await expect(errorLine(page)).toHaveText('2')
})

test('the compiler is loaded when the code is edited, and nothing else may use WebAssembly', async ({ page }) => {
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  const compilers = () => loaded.filter((url) => url.endsWith('.wasm'))
  await arriveAsNewcomer(page)
  const path = await publishScript(page, { script_content: 'local = 1\n' })
  await page.goto(`${path}/new-version`)
  await waitForEditor(page)
  expect(compilers()).toEqual([])
  await codeEditor(page).focus()
  await expect(errorLine(page)).toHaveText('1')
  expect(compilers()).toHaveLength(1)
  const isAllowed = await page.evaluate(() =>
    WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(
      () => true,
      () => false,
    ),
  )
  expect(isAllowed).toBe(false)
  const worker = await page.request.get(loaded.find((url) => url.includes('compile-worker')) ?? '')
  expect(worker.headers()['content-security-policy']).toBe("default-src 'none'; script-src 'wasm-unsafe-eval'")
})
