import {
  chooseAccountEntry,
  choosePerson,
  loginButton,
  openAs,
  signInWithDiscord,
  waitUntilSignedIn,
} from './members.ts'
import { expect, findScript, onEachDevice, open, type Page, test } from './page.ts'
import { endSession } from './publishing.ts'

const notice = (page: Page) => page.getByRole('status').filter({ hasText: 'Sign in to' })
const noticeButton = (page: Page) => notice(page).getByRole('button', { name: 'Login with Discord' })

onEachDevice(() => {
  for (const [name, find] of [
    ['header', loginButton],
    ['notice', noticeButton],
  ] as const) {
    test(`a visitor who is asked to sign in reaches the page with the button of the ${name}, also after refusing`, async ({
      page,
    }) => {
      await page.goto('/profile/settings?tab=privacy')
      await expect(notice(page)).toContainText("You'll come back here after signing in.")
      await find(page).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByText('You canceled the Discord sign-in.')).toBeVisible()
      await find(page).click()
      await choosePerson(page, 'lin')
      await expect(page).toHaveURL('/profile/settings?tab=privacy')
      await waitUntilSignedIn(page)
    })
  }
})

test('a visitor who is asked to sign in and goes elsewhere returns there', async ({ page }) => {
  await page.goto('/upload')
  await expect(notice(page)).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Popular' }).click()
  await expect(page).toHaveURL('/popular')
  await loginButton(page).click()
  await choosePerson(page, 'lin')
  await expect(page).toHaveURL('/popular')
})

test('buttons within pages lead back to their page and section', async ({ page, context }) => {
  const path = await findScript(page, 'snake')
  for (const [start, button, end] of [
    ['/giveaways', /^Login to Enter/, '/giveaways'],
    [path, 'Sign in to rate', `${path}#ratings`],
    [path, 'Sign in to comment', `${path}#comments`],
    ['/profile/me', 'Login with Discord', /\/profile\/ada_builds$/],
    ['/admin/users', 'Login with Discord', '/admin/users'],
    [`${path}/edit`, 'Login with Discord', `${path}/edit`],
    [`${path}/new-version?tab=repository`, 'Login with Discord', `${path}/new-version?tab=repository`],
  ] as const) {
    await open(page, start)
    await page.getByRole('main').getByRole('button', { name: button }).first().click()
    await choosePerson(page, 'ada_builds')
    await expect(page).toHaveURL(end)
    await page.evaluate(() => localStorage.clear())
    await context.clearCookies()
  }
})

test('a member whose session ends is asked to sign in and returns, but not one who signs out', async ({ page }) => {
  await openAs(page, 'lin', '/dashboard?days=7')
  await endSession(page)
  // The page notices it when it comes back from the cache of the browser.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(notice(page)).toBeVisible()
  await signInWithDiscord(page, 'lin')
  await expect(page).toHaveURL('/dashboard?days=7')
  await chooseAccountEntry(page, 'Sign out')
  await expect(loginButton(page)).toBeEnabled()
  await expect(page).toHaveURL('/')
  await expect(notice(page)).toHaveCount(0)
})
