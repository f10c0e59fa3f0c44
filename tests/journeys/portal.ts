import { openAs } from './members.ts'
import { expect, type Page } from './page.ts'
import { waitUntilVisible } from './wait.ts'

/** Opens a tab of the portal as the demo's admin. */
export async function openPortal(page: Page, path = '/admin'): Promise<void> {
  await openAs(page, 'marlow', path)
  await waitUntilVisible(page.getByRole('heading', { level: 1, name: 'Admin portal' }))
}

/** Expects a message that no call has seen before: each is shown for seconds, and the next may have the same text. */
export async function expectToast(page: Page, text: string): Promise<void> {
  const messages = page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })
  const message = messages.and(page.locator(':not([data-seen])')).first()
  await expect(message).toBeVisible()
  await message.evaluate((element) => element.setAttribute('data-seen', ''))
}

/** A name that no other journey uses on the same site. */
export const unique = (name: string): string => `${name} ${Date.now().toString(36)}`
