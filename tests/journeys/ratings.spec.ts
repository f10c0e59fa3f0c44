import { callApi, openAs } from './members.ts'
import {
  expect,
  test,
  open,
  expectAccessible,
  expectFocusAtOnce,
  expectNoMessageOver,
  expectNoOverflow,
  findScript,
  onEachDevice,
  PHONE,
} from './page.ts'

/** The id at the end of a script's path. */
const idOf = (path: string) => Number(/-(\d+)$/.exec(path)?.[1])

test('a member rates, the author is notified live and replies, and the member is notified', async ({
  page: guest,
  signInAs,
}) => {
  const path = await findScript(guest, 'remote logger')
  const ada = await signInAs('ada_builds', '/')
  await openAs(guest, 'Someone new', path)

  await guest.getByRole('button', { name: 'Rate this script' }).click()
  await guest.getByRole('radio', { name: '4 stars' }).check()
  await guest
    .getByRole('textbox', { name: /^Review/ })
    .fill('Weights add up. Ünïcödé und sehr lange Wörter too: `sum(1, 2)`.')
  await guest.getByRole('button', { name: 'Submit rating' }).click()
  await expect(guest.getByText('Rating saved')).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Submit rating' })).toHaveCount(0)
  await expect(guest.getByText('You rated this')).toBeVisible()
  const review = (reader: typeof guest) => reader.locator('#ratings article').filter({ hasText: 'Weights add up.' })
  await expect(review(guest).locator('code')).toHaveText('sum(1, 2)')

  await ada.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
  const notifications = ada.getByRole('dialog', { name: 'Notifications' })
  await notifications
    .getByRole('link', { name: /New review/ })
    .first()
    .click()
  await expect(ada).toHaveURL(`${path}#ratings`)
  await expect(ada.getByText('You can reply once to each review.')).toBeVisible()
  const opener = review(ada).getByRole('button', { name: /^Reply/ })
  await opener.click()
  await expect(ada.getByRole('textbox', { name: 'Your reply' })).toBeFocused()
  await expectFocusAtOnce(review(ada).getByRole('button', { name: 'Cancel' }), 'button[aria-label^=Reply]')
  await opener.click()
  await ada.getByRole('textbox', { name: 'Your reply' }).fill('Thank you for measuring.')
  await ada.getByRole('button', { name: 'Publish reply' }).click()
  await expect(review(ada).getByText("Author's reply")).toBeVisible()
  await expect(review(ada).getByRole('button', { name: /^Reply/ })).toHaveCount(0)

  await guest.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await guest.getByRole('link', { name: /Reply to your review/ }).click()
  await expect(review(guest).getByText('Thank you for measuring.')).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
})

test('a rejected rating keeps the text, and a rating can be replaced and removed, which updates the stats', async ({
  page: guest,
}) => {
  const path = await findScript(guest, 'theodora')
  const count = async () => {
    const response = await guest.request.get(`/api/script-rating?id=${idOf(path)}`)
    return ((await response.json()) as { summary: { rating_count: number } }).summary.rating_count
  }
  const before = await count()
  await openAs(guest, 'Someone new', path)
  await guest.getByRole('button', { name: 'Rate this script' }).click()
  await guest.getByRole('button', { name: 'Submit rating' }).click()
  await expect(guest.getByText('Choose one to five stars.')).toBeVisible()
  for (const [colorScheme, width] of [
    ['dark', 1440],
    ['light', 320],
  ] as const) {
    await guest.emulateMedia({ colorScheme })
    await guest.setViewportSize({ width, height: 800 })
    await expectNoOverflow(guest)
    await expectAccessible(guest)
  }
  await guest.emulateMedia({ colorScheme: null })
  await guest.setViewportSize({ width: 1440, height: 900 })

  // By keyboard: the stars have focus, the arrow keys choose.
  await guest.keyboard.press('Space')
  await guest.keyboard.press('ArrowRight')
  await expect(guest.getByRole('radio', { name: '2 stars' })).toBeChecked()

  await guest.route('**/api/script-rating?*', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { error: 'You are muted without an end.', code: 'muted' } })
      : route.fallback(),
  )
  await guest.getByRole('textbox', { name: /^Review/ }).fill('Saved.')
  await guest.getByRole('button', { name: 'Submit rating' }).click()
  await expect(guest.getByRole('alert').getByText('You are muted without an end.')).toBeVisible()
  await expect(guest.getByRole('textbox', { name: /^Review/ })).toHaveValue('Saved.')
  await guest.unroute('**/api/script-rating?*')
  await guest.getByRole('radio', { name: '2 stars' }).press('Enter')
  await expect(guest.getByText('You rated this')).toBeVisible()
  await expect(guest.getByRole('button', { name: 'Change' })).toBeFocused()
  await expect(guest.getByText(`${before + 1} ratings`, { exact: true })).toBeVisible()

  await guest.reload()
  await guest.getByRole('button', { name: 'Change' }).click()
  await expect(guest.getByRole('radio', { name: '2 stars' })).toBeChecked()
  await guest.getByRole('radio', { name: '5 stars' }).check()
  await guest.getByRole('button', { name: 'Save changes' }).click()
  await expect(guest.locator('#ratings').getByText('5 out of 5 stars').first()).toBeAttached()
  expect(await count()).toBe(before + 1)

  await guest.getByRole('button', { name: 'Remove' }).click()
  await guest.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(guest.getByRole('button', { name: 'Rate this script' })).toBeVisible()
  expect(await count()).toBe(before)
})

onEachDevice(() => {
  test('the button leaves while the form is open, and messages cover neither what has the focus nor what is next', async ({
    page: guest,
  }) => {
    await openAs(guest, 'Someone new', await findScript(guest, 'remote logger'))
    const opener = guest.getByRole('button', { name: 'Rate this script' })
    await opener.click()
    await expect(opener).toHaveCount(0)
    await guest.getByRole('button', { name: 'Cancel' }).click()
    await expect(opener).toBeFocused()
    await opener.click()
    await guest.getByRole('radio', { name: '4 stars' }).check()
    await guest.clock.install()
    await guest.getByRole('button', { name: 'Submit rating' }).click()
    const messages = guest.getByRole('region', { name: 'Messages' })
    await expect(messages.getByText('Rating saved')).toBeVisible()
    await expectNoMessageOver(guest.getByRole('button', { name: 'Change' }))
    await expectNoMessageOver(guest.getByRole('button', { name: 'Remove', exact: true }))

    // The message stays.
    await guest.clock.pauseAt(Date.now() + 1000)
    const comment = guest.getByRole('textbox', { name: 'Write a comment' })
    for (const block of ['start', 'center', 'end'] as const) {
      await comment.evaluate((element: HTMLElement, edge) => {
        element.blur()
        element.scrollIntoView({ block: edge })
        element.focus({ preventScroll: true })
      }, block)
      await expectNoMessageOver(comment)
    }
    await expect(messages.getByText('Rating saved')).toBeVisible()
    await guest.clock.resume()
    await comment.fill('Does it log from the server?')
    await guest.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect(messages.getByText('Comment published')).toBeVisible()
    await expectNoMessageOver(comment)
  })
})

test('visitors sort reviews by newest, highest and lowest, and sign in to rate', async ({ page }) => {
  const response = await page.request.get('/api/scripts?sort=rating_average&order=asc&limit=100')
  const { scripts } = (await response.json()) as { scripts: { slug: string; rating_count: number }[] }
  const rated = scripts.find(({ rating_count }) => rating_count > 5)
  await open(page, `/scripts/${rated?.slug}`)
  const stars = async () => {
    const texts = await page
      .locator('#ratings article')
      .getByText(/out of 5 stars/)
      .allInnerTexts()
    return texts.map((text) => Number.parseInt(text, 10))
  }
  const newest = await stars()
  // As a visitor's pointer does, this hydrates the panel before the selection changes.
  await page.getByLabel('Sort').dispatchEvent('mousedown')
  await page.getByLabel('Sort').selectOption('Highest')
  await expect.poll(stars).toEqual(newest.toSorted((a, b) => b - a))
  await page.getByLabel('Sort').selectOption('Lowest')
  await expect.poll(stars).toEqual(newest.toSorted((a, b) => a - b))
  await page.getByLabel('Sort').selectOption('Newest')
  await expect.poll(stars).toEqual(newest)

  await test.step('visitors are asked to sign in and return to the script', async () => {
    await page.getByRole('button', { name: 'Sign in to rate' }).click()
    await page.getByRole('button', { name: /^Someone new/ }).click()
    await expect(page.getByRole('button', { name: 'Rate this script' })).toBeEnabled()
    await expect(page).toHaveURL(`/scripts/${rated?.slug}#ratings`)
  })
})

test('a reputation point is given once, and the daily remainder updates at once', async ({ page: guest }) => {
  await openAs(guest, 'Someone new', await findScript(guest, 'remote logger'))
  const button = guest.getByRole('button', { name: 'Give reputation' })
  await expect(guest.getByText('3 of 3 left')).toBeVisible()
  const card = guest.getByRole('region', { name: 'Author' })
  const before = Number.parseInt(await card.getByText(/^\d+ reputation$/).innerText(), 10)
  await button.click()
  await expect(card.getByText(`${before + 1} reputation`)).toBeVisible()
  await expect(button).toBeDisabled()
  await expect(guest.getByText('Reputation Given!')).toBeVisible()
  await expect(guest.getByText('You gave 1 reputation point to Ada')).toBeVisible()
  await expect(guest.getByText('Given today · 2 left')).toBeVisible()
})

test("a point updates the member's profile at once, and members cannot give to themselves", async ({ page }) => {
  await openAs(page, 'Someone new', '/profile/lin')
  const reputation = page.getByRole('tabpanel').locator('dl > div').filter({ hasText: 'Reputation' }).locator('dd')
  const before = Number(await reputation.getAttribute('title'))
  await page.getByRole('button', { name: 'Give reputation' }).click()
  await expect(reputation).toHaveAttribute('title', String(before + 1))
  await expect(page.getByText('Reputation Given!')).toBeVisible()
  await expect(reputation).toHaveAttribute('title', String(before + 1))
  // What visitors and other members get.
  const html = await (await page.request.get('/profile/lin')).text()
  expect(html).toMatch(new RegExp(`<dd[^>]* title="${before + 1}"`))
  await openAs(page, 'lin', '/profile/lin')
  await expect(reputation).toHaveAttribute('title', String(before + 1))
  await expect(page.getByRole('button', { name: 'Give reputation' })).toHaveCount(0)
})

test('a rejected point is rolled back with the error of the server', async ({ page: guest }) => {
  const path = await findScript(guest, 'remote logger')
  await openAs(guest, 'Someone new', path)
  const button = guest.getByRole('button', { name: 'Give reputation' })
  await expect(button).toBeEnabled()
  const response = await guest.request.get(`/api/script-details-slug?slug=${path.split('/').at(-1)}`)
  const { script } = (await response.json()) as { script: { author_id: number } }
  // A point given in another window.
  expect((await callApi(guest, 'POST', '/api/profile-reputation', { target_user_id: script.author_id })).status).toBe(
    200,
  )
  await button.click()
  await expect(guest.getByText('Failed to Give Reputation')).toBeVisible()
  await expect(guest.getByText("You've already given Ada a point today.")).toBeVisible()
  await expect(guest.getByText('Given today · 2 left')).toBeVisible()
  await expect(button).toBeDisabled()
})

test.describe('on a phone', () => {
  test.use(PHONE)

  test('stars are chosen by touch, and all touch targets are large enough', async ({ page: guest }) => {
    await openAs(guest, 'Someone new', await findScript(guest, 'remote logger'))
    await guest.getByRole('button', { name: 'Rate this script' }).tap()
    await guest.getByRole('radio', { name: '3 stars' }).tap()
    await expect(guest.getByRole('radio', { name: '3 stars' })).toBeChecked()
    await expect(guest.getByText('Good', { exact: true })).toBeVisible()
    const form = guest.getByRole('form', { name: 'Rate this script' })
    for (const target of await form.locator('input, button').all()) {
      const { width, height } = (await target.boundingBox()) ?? { width: 0, height: 0 }
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    }
    await form.getByRole('button', { name: 'Submit rating' }).tap()
    await expect(guest.getByText('You rated this')).toBeVisible()
    await expectNoOverflow(guest)
  })
})
