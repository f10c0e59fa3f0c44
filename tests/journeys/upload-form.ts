import type { Locator, Page } from '@playwright/test'
import { expect } from './page.ts'
import { waitUntilVisible } from './wait.ts'

export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const MAX_IMAGE_BYTES = 3_145_728

export const field = (page: Page, name: string): Locator => page.locator(`[data-field="${name}"]`)
/** The loaded editor; until then a text area has the same name. */
export const codeEditor = (page: Page): Locator => page.locator('[data-shadow]').getByRole('textbox')

export const waitForEditor = (page: Page): Promise<void> => waitUntilVisible(codeEditor(page))

/** Opens the form and waits until it is interactive. */
export async function openUpload(page: Page): Promise<void> {
  await page.goto('/upload')
  await waitForEditor(page)
}

export async function typeCode(page: Page, code: string): Promise<void> {
  await codeEditor(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.insertText(code)
}

export async function fillRequired(page: Page, title: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Title' }).fill(title)
  await page.getByRole('textbox', { name: 'Description' }).fill('Counts the coins that somebody picks up.')
  await typeCode(page, 'local coins = 0\nprint(coins)\n')
}

/** Unfolds the fields that have defaults. */
export async function unfoldDetails(page: Page): Promise<void> {
  // By keyboard, because the check of the code may move the page while a click is under way.
  await page.locator('summary', { hasText: 'Script Properties' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Script Properties' })).toBeVisible()
}

export const upload = (page: Page): Promise<void> => page.getByRole('button', { name: 'Upload Script' }).click()

/** Waits until the browser has stored the cover or the screenshots of the only draft. */
export async function expectStored(page: Page, images: 'image' | 'screenshots'): Promise<void> {
  const readNames = () =>
    page.evaluate(async () => {
      const resultOf = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve) => request.addEventListener('success', () => resolve(request.result)))
      const database = await resultOf(indexedDB.open('drafts'))
      const names = await resultOf(database.transaction('drafts').objectStore('drafts').getAllKeys())
      database.close()
      return names
    })
  await expect.poll(readNames).toContainEqual(expect.stringMatching(new RegExp(`:${images}$`)))
}

export async function expectNewScript(page: Page, title: string): Promise<void> {
  await expect(page).toHaveURL(/\/scripts\/.*-\d+$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
}

export interface TestFile {
  name: string
  type: string
  text: string
}

/** Drops a file on an element, or pastes it there. */
export async function transferFile(target: Locator, kind: 'drop' | 'paste', file: TestFile): Promise<void> {
  await target.evaluate(
    (element, dropped) => {
      const data = new DataTransfer()
      const bytes = Uint8Array.from(dropped.file.text, (character) => character.charCodeAt(0))
      data.items.add(new File([bytes], dropped.file.name, { type: dropped.file.type }))
      const options = { bubbles: true, cancelable: true, composed: true }
      if (dropped.kind === 'paste')
        element.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }))
      else {
        element.dispatchEvent(new DragEvent('dragover', { ...options, dataTransfer: data }))
        element.dispatchEvent(new DragEvent('drop', { ...options, dataTransfer: data }))
      }
    },
    { kind, file },
  )
}
