import { expect, type Page } from '@playwright/test'

/** Those whom the stand-in for Discord offers: the demo's admin, moderator and two members, and a newcomer. */
export type Person = 'marlow' | 'okapi' | 'ada_builds' | 'lin' | 'Someone new'

export const accountButton = (page: Page) => page.getByRole('button', { name: /^Account of / })
export const loginButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Login/ })

/** Signs in through the stand-in's page, beginning and ending on the page that is open. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await loginButton(page).click()
  await page
    .getByRole('button', { name: new RegExp(`^${person}`) })
    .first()
    .click()
  await expect(accountButton(page)).toBeVisible()
}

/** What the browser keeps of the session. */
export const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('auth_token'))

/** Chooses an entry of the account menu. */
export async function chooseAccountEntry(page: Page, name: string): Promise<void> {
  await accountButton(page).click()
  await page.getByRole('menuitem', { name }).click()
}
