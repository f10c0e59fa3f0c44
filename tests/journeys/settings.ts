import { expect, type Page } from '@playwright/test'
import { openAs } from './members.ts'

/** Signs somebody new in and opens their settings. Answers with their username. */
export async function openSettings(page: Page): Promise<string> {
  await openAs(page, 'Someone new', '/profile/settings')
  const back = page.getByRole('link', { name: 'Your profile' })
  await expect(back).toBeVisible()
  const address = (await back.getAttribute('href')) ?? ''
  return address.slice('/profile/'.length)
}

export const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' })

/** Saves and waits until the site says that it did. */
export async function save(page: Page): Promise<void> {
  await saveButton(page).click()
  await expect(page.getByText('Profile updated successfully!')).toBeVisible()
  await expect(page.getByText('You have unsaved changes.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Dismiss' }).first().click()
}

/** A file of the given size whose name says that it is a picture. */
export const pictureOf = (bytes: number) => ({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(bytes) })

/** Puts a file into a picture's field, as if it had been chosen. */
export async function choosePicture(
  page: Page,
  label: string,
  file: string | { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await page.getByRole('group', { name: label }).locator('input[type=file]').setInputFiles(file)
}
