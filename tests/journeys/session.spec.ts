import { readFileSync } from 'node:fs'
import type { Page, Request, Route } from '@playwright/test'
import {
  chooseAccountEntry,
  choosePerson,
  loginButton,
  openAs,
  readToken,
  signInWithDiscord,
  waitUntilSignedIn,
} from './members.ts'
import { expect, expectAccessible, forward, open, test } from './page.ts'

const PROFILE = '**/api/user-profile'

/** Handles the first profile checks of a page in a different way. */
async function handleFirst(page: Page, times: number, handle: (route: Route) => Promise<void>): Promise<void> {
  await page.route(PROFILE, handle, { times })
}

const fail = (route: Route) => route.fulfill({ status: 503, json: { error: 'Busy.', code: 'unavailable' } })
const loseResponse = async (route: Route) => {
  await forward(route)
  await route.abort()
}

/** Shortens the delays between retries of a check, but not the time that messages are shown. */
const shortenRetries = (page: Page) =>
  page.addInitScript(() => {
    const wait = window.setTimeout.bind(window)
    window.setTimeout = ((run: () => void, ms = 0) => wait(run, ms <= 5000 ? ms / 20 : ms)) as typeof window.setTimeout
  })

const statusOf = async (page: Page, token: string | null) =>
  (await page.request.get('/api/user-profile', { headers: { authorization: `Bearer ${token}` } })).status()

test('the token of a sign-in reaches neither a referrer nor the URL of another request', async ({ page }) => {
  const requests: Request[] = []
  await open(page, '/popular')
  page.on('request', (request) => requests.push(request))
  await signInWithDiscord(page, 'lin')
  await page.getByRole('banner').getByRole('link', { name: 'Showcases' }).click()
  await expect(page).toHaveURL(/\/showcases$/)
  const pages = requests.filter((request) => request.url().includes('token='))
  expect(pages.map((request) => request.resourceType())).toEqual(['document', 'document'])
  const token = new URL(pages[0]?.url() ?? '').searchParams.get('token') ?? 'none'
  expect(requests.length).toBeGreaterThan(20)
  for (const request of requests) {
    const { referer = '' } = await request.allHeaders()
    expect(referer).not.toContain('token')
    expect(referer).not.toContain(token)
  }
})

test('a sign-in whose response is lost completes by itself, also after a reload', async ({ page }) => {
  await open(page, '/')
  await handleFirst(page, 1, loseResponse)
  await signInWithDiscord(page, 'lin')
  expect(await statusOf(page, await readToken(page))).toBe(200)

  await chooseAccountEntry(page, 'Sign out')
  await expect(loginButton(page)).toBeEnabled()
  await test.step('a sign-in completes after a reload that lost the response', async () => {
    const lost = new Promise<void>((resolve) => {
      void handleFirst(page, 1, async (route) => {
        await forward(route)
        resolve()
      })
    })
    await loginButton(page).click()
    await choosePerson(page, 'lin')
    await lost
    await page.reload()
    await waitUntilSignedIn(page)
    expect(await statusOf(page, await readToken(page))).toBe(200)
  })
})

test('a short outage does not sign out, and a check that keeps failing does and says so', async ({ page }) => {
  await openAs(page, 'lin')
  const token = await readToken(page)
  await shortenRetries(page)
  for (const handle of [fail, loseResponse]) {
    await handleFirst(page, 3, handle)
    await page.goto('/')
    await waitUntilSignedIn(page)
    expect(await readToken(page)).toBe(token)
  }

  let checks = 0
  await page.route(PROFILE, (route) => {
    checks++
    return fail(route)
  })
  await page.reload()
  await expect(page.getByText('Auth check failed')).toBeVisible()
  await expect(loginButton(page)).toBeEnabled()
  expect(await readToken(page)).toBeNull()
  expect(checks).toBe(4)
})

test('a member stays signed in without a network and after a forged token in a link', async ({ page, context }) => {
  await openAs(page, 'lin', '/')
  const token = await readToken(page)
  await context.setOffline(true)
  // Another tab changes the token, which this tab checks.
  await page.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'auth_token' })))
  // After several attempts.
  await expect(page.getByText('Auth check failed')).toBeVisible({ timeout: 30_000 })
  await context.setOffline(false)
  await waitUntilSignedIn(page)
  expect(await readToken(page)).toBe(token)

  for (const result of [`token=${'A'.repeat(43)}`, 'login_error=bad_code', 'login_error=state_mismatch']) {
    await page.goto(`/popular?${result}`)
    await waitUntilSignedIn(page)
    await expect(page).toHaveURL(/\/popular$/)
    expect(await readToken(page)).toBe(token)
    await expect(page.getByText('Login failed')).toHaveCount(0)
  }
})

test('data is downloaded after signing in again, and the previous session ends', async ({ page, site }) => {
  await openAs(page, 'lin', '/profile/settings?tab=privacy')
  const previous = await readToken(page)
  await site.ageSignIns()
  await page.getByRole('button', { name: 'Download my data' }).click()
  const dialog = page.getByRole('alertdialog', { name: "Confirm it's you" })
  await expect(dialog).toContainText('To download your data, sign in with Discord again.')
  await expectAccessible(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog
      .getByRole('button', { name: 'Continue with Discord' })
      .click()
      .then(() => choosePerson(page, 'lin')),
  ])
  expect(readFileSync(await download.path(), 'utf8')).toContain('"username": "lin"')
  await expect(page).toHaveURL(/\/profile\/settings\?tab=privacy$/)
  expect(await readToken(page)).not.toBe(previous)
  await expect.poll(() => statusOf(page, previous)).toBe(401)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Download my data' })).toBeEnabled()
})

test('the deletion of an account continues after signing in again, and a canceled confirmation asks for nothing', async ({
  page,
  site,
}) => {
  await openAs(page, 'lin', '/profile/settings?tab=privacy')
  await site.ageSignIns()
  await test.step('a canceled confirmation asks for nothing more', async () => {
    await page.getByRole('button', { name: 'Download my data' }).click()
    await page.getByRole('button', { name: 'Continue with Discord' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('You canceled the Discord sign-in.')).toBeVisible()
    await waitUntilSignedIn(page)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const deletion = page.getByRole('dialog', { name: 'Delete your account?' })
  await deletion.getByLabel('Your username').fill('lin')
  await deletion.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('alertdialog', { name: "Confirm it's you" })
  await expect(dialog).toContainText('To delete your account, sign in with Discord again.')
  await dialog.getByRole('button', { name: 'Continue with Discord' }).click()
  await choosePerson(page, 'lin')
  await expect(deletion.getByLabel('Your username')).toHaveValue('')
  await expect(deletion.getByRole('button', { name: 'Delete my account' })).toBeDisabled()
  await deletion.getByRole('button', { name: 'Keep my account' }).click()
  await waitUntilSignedIn(page)
})
