import {
  accountButton,
  chooseAccountEntry,
  loginButton,
  openAs,
  readToken,
  signInWithDiscord,
  waitUntilSignedIn,
} from './members.ts'
import { expect, test, open, expectAccessible, findScript, measureLayoutShift } from './page.ts'

test('a new member signs in, is welcomed once and returns to the page, with a token for this browser only', async ({
  page,
  openVisitor,
}) => {
  const welcomes: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Welcome')) welcomes.push(message.text())
  })
  const path = `${await findScript(page, 'snake')}?tab=x`
  await open(page, path)
  const returning = page.waitForRequest((request) => request.url().includes('token='))
  await signInWithDiscord(page, 'Someone new')
  await expect(page).toHaveURL(path)
  expect(welcomes).toHaveLength(1)
  expect(await readToken(page)).toMatch(/^[\w-]{43}$/)
  await page.reload()
  await waitUntilSignedIn(page)
  expect(welcomes).toHaveLength(1)
  const elsewhere = await openVisitor()
  await elsewhere.goto((await returning).url())
  await expect(elsewhere.getByText('Your sign-in expired. Please sign in again.')).toBeVisible()
})

const OWN_ENTRIES = [
  'Public profile',
  'Your scripts',
  'Statistics',
  'Favorites',
  'Collections',
  'Following',
  'Upload a script',
  'Settings',
  'Decisions and appeals',
  'API',
]

for (const [person, ...entries] of [['marlow', 'Admin Panel'], ['okapi', 'Report queue'], ['ada_builds']] as const) {
  test(`${person} sees their menu entries, and signs out by keyboard, also on the server`, async ({ page }) => {
    await openAs(page, person, '/')
    await accountButton(page).click()
    await expect(page.getByRole('menuitem')).toHaveText([...OWN_ENTRIES, ...entries, 'Sign out'])
    await expect(page.getByRole('menuitem', { name: 'Public profile' })).toHaveAttribute('href', `/profile/${person}`)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menuitem')).toHaveCount(0)
    await expect(accountButton(page)).toBeFocused()

    const authorization = `Bearer ${await readToken(page)}`
    const status = async () => (await page.request.get('/api/user-profile', { headers: { authorization } })).status()
    expect(await status()).toBe(200)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Public profile' })).toBeFocused()
    await page.keyboard.press('End')
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused()
    const responded = page.waitForResponse((response) => response.url().endsWith('/api/session'))
    await page.keyboard.press('Enter')
    await expect(loginButton(page)).toBeEnabled()
    expect(await readToken(page)).toBeNull()
    await responded
    expect(await status()).toBe(401)
  })
}

test("a member's controls are side by side, and nothing moves when the session becomes known", async ({ page }) => {
  await openAs(page, 'ada_builds', '/')
  const bell = page.getByRole('banner').getByRole('button', { name: 'Notifications' })
  await expect(bell).toBeVisible()
  const box = async (name: string | RegExp) =>
    (await page.getByRole('banner').getByRole('button', { name }).boundingBox()) ?? { x: 0, width: 0 }
  const [theme, notifications, account] = [await box('Theme'), await box('Notifications'), await box(/^Account of/)]
  expect(notifications.x - theme.x - theme.width).toBeLessThanOrEqual(8)
  expect(account.x - notifications.x - notifications.width).toBeLessThanOrEqual(8)
  expect(await measureLayoutShift(page)).toBeLessThan(0.01)
})

test('rejected sign-ins and expired sessions leave the visitor signed out', async ({ page }) => {
  await test.step('a forged token in the URL is rejected and removed from the URL', async () => {
    await page.goto(`/popular?token=${'A'.repeat(43)}`)
    await expect(page.getByText('Your sign-in expired. Please sign in again.')).toBeVisible()
    await expect(page).toHaveURL(/\/popular$/)
    expect(await readToken(page)).toBeNull()
  })
  await test.step('an expired session signs out silently', async () => {
    await page.evaluate(() => localStorage.setItem('auth_token', 'A'.repeat(43)))
    await page.reload()
    await expect(loginButton(page)).toBeEnabled()
    expect(await readToken(page)).toBeNull()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
  await test.step('a canceled authorization shows an error and does not sign in', async () => {
    await loginButton(page).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('You canceled the Discord sign-in.')).toBeVisible()
    await expect(page).toHaveURL(/\/popular$/)
    await expect(loginButton(page)).toBeEnabled()
    expect(await readToken(page)).toBeNull()
  })
})

test('two tabs share the session', async ({ page, context }) => {
  await open(page, '/')
  const second = await context.newPage()
  await second.goto('/popular')
  await expect(loginButton(second)).toBeEnabled()
  await signInWithDiscord(page, 'ada_builds')
  await waitUntilSignedIn(second)
  await chooseAccountEntry(second, 'Sign out')
  await expect(loginButton(page)).toBeEnabled()
  await expect(loginButton(second)).toBeEnabled()
  await second.close()
})
