import { expect, type Page } from '@playwright/test'
import { openAs } from './members.ts'
import { waitUntilVisible } from './wait.ts'

/** Opens the settings of a new member. Returns their username. */
export async function openSettings(page: Page): Promise<string> {
  await openAs(page, 'Someone new', '/profile/settings')
  const back = page.getByRole('link', { name: 'Your profile' })
  await waitUntilVisible(back)
  const path = (await back.getAttribute('href')) ?? ''
  return path.slice('/profile/'.length)
}

export const saveButton = (page: Page) => page.getByRole('button', { name: 'Save changes' })

export async function save(page: Page): Promise<void> {
  await saveButton(page).click()
  await expect(page.getByText('Profile updated successfully!')).toBeVisible()
  await expect(page.getByText('You have unsaved changes.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Dismiss' }).first().click()
}

/** A file of this size that is named like an image. */
export const imageOfSize = (bytes: number) => ({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(bytes) })

export async function chooseImage(
  page: Page,
  label: string,
  file: string | { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await page.getByRole('group', { name: label }).locator('input[type=file]').setInputFiles(file)
}
