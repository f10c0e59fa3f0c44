import type { Page } from '@playwright/test'
import { hasLeftSite, leaveSite } from './reused-pages.ts'
import { currentSite, type Person } from './site.ts'
import { waitUntilVisible } from './wait.ts'

export const accountButton = (page: Page) => page.getByRole('button', { name: /^Account of / })
export const loginButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Login/ })

export const waitUntilSignedIn = (page: Page): Promise<void> => waitUntilVisible(accountButton(page))

/** With a session from the database instead of the sign-in page. Without a path, the page has no content. */
export async function openAs(page: Page, person: Person, path?: string): Promise<void> {
  const token = await currentSite().openSession(person)
  if (!hasLeftSite(page)) await leaveSite(page)
  await page.evaluate((value) => localStorage.setItem('auth_token', value), token)
  if (path === undefined) return
  await page.goto(path)
  await waitUntilSignedIn(page)
}

/** Signs in on the fake Discord's page. Starts and ends on the current page. */
export async function signInWithDiscord(page: Page, person: Person): Promise<void> {
  await loginButton(page).click()
  await choosePerson(page, person)
  await waitUntilSignedIn(page)
}

export async function choosePerson(page: Page, person: Person): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(`^${person}`) })
    .first()
    .click()
}

export const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('auth_token'))

export async function chooseAccountEntry(page: Page, name: string): Promise<void> {
  await accountButton(page).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Calls the API as the member who is signed in on the page, not through the page. */
export async function callApi(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${await readToken(page)}` }
  const response = await page.request.fetch(path, { method, headers, ...(body ? { data: body } : {}) })
  return { status: response.status(), text: await response.text() }
}

interface OwnProfile {
  id: number
  username: string
}

export async function readOwnProfile(page: Page): Promise<OwnProfile> {
  return JSON.parse((await callApi(page, 'GET', '/api/user-profile')).text) as OwnProfile
}
