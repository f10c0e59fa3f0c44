import { callApi, chooseAccountEntry, loginButton, openAs, waitUntilSignedIn } from './members.ts'
import { expect, test, expectAccessible, expectNoOverflow, findScript, type Page } from './page.ts'
import { currentSite } from './site.ts'

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications/ })
const list = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })

/** Rates one of Ada's scripts as a new member, so that she is notified. */
async function notifyAda(page: Page, words: string): Promise<void> {
  const id = /-(\d+)$/.exec(await findScript(page, words))?.[1]
  const headers = { authorization: `Bearer ${await currentSite().openSession('Someone new')}` }
  const data = { rating: 5, review: 'Good.' }
  expect((await page.request.post(`/api/script-rating?id=${id}`, { headers, data })).status()).toBe(200)
}

test('a member without notifications is all caught up, also after a failure, until they sign out', async ({
  page: guest,
}) => {
  await openAs(guest, 'Someone new', '/')
  await bell(guest).click()
  await expect(list(guest).getByText('All caught up!')).toBeVisible()
  await expect(list(guest).getByText('No new notifications')).toBeVisible()
  await expect(list(guest).getByRole('button', { name: 'Read all' })).toHaveCount(0)
  await guest.keyboard.press('Escape')
  await expect(list(guest)).toHaveCount(0)
  await expect(bell(guest)).toBeFocused()
  await test.step('a list that fails to load can be retried', async () => {
    // When the stream opens, the list is loaded again, which would remove the button.
    await guest.route('**/api/notification-stream', (route) => route.abort())
    await guest.route('**/api/user-notifications', (route) =>
      route.fulfill({ status: 503, json: { error: 'The site is busy right now.', code: 'unavailable' } }),
    )
    await guest.reload()
    await bell(guest).click()
    const retry = list(guest).getByRole('button', { name: 'Try again' })
    await expect(retry).toBeVisible()
    await guest.unroute('**/api/user-notifications')
    await retry.click()
    await expect(list(guest).getByText('All caught up!')).toBeVisible()
    await guest.keyboard.press('Escape')
  })
  await test.step('signing out removes notifications', async () => {
    await expect(bell(guest)).toBeVisible()
    await chooseAccountEntry(guest, 'Sign out')
    await expect(loginButton(guest)).toBeVisible()
    await expect(bell(guest)).toHaveCount(0)
    let requestCount = 0
    guest.on('request', (request) => request.url().includes('notification') && requestCount++)
    await guest.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await guest.waitForLoadState('networkidle')
    expect(requestCount).toBe(0)
  })
})

test('notifications are read and deleted one by one and all at once, also by keyboard', async ({ page: ada }) => {
  await openAs(ada, 'ada_builds', '/')
  await callApi(ada, 'POST', '/api/user-notifications', { action: 'mark_read', mark_all_read: true })
  await callApi(ada, 'DELETE', '/api/user-notifications')
  await expect(bell(ada)).toHaveAccessibleName('Notifications')
  for (const words of ['performance overlay', 'remote logger', 'object pool']) await notifyAda(ada, words)
  await expect(bell(ada)).toHaveAccessibleName('Notifications, 3 unread')
  await test.step('the open list is accessible and fits the screen', async () => {
    for (const [colorScheme, width] of [
      ['dark', 1440],
      ['light', 320],
    ] as const) {
      await ada.emulateMedia({ colorScheme })
      await ada.setViewportSize({ width, height: 700 })
      await bell(ada).click()
      await expect(list(ada).getByRole('listitem').first()).toBeVisible()
      const { height } = (await list(ada).getByRole('list').boundingBox()) ?? { height: Infinity }
      expect(height).toBeLessThanOrEqual(450)
      await expectNoOverflow(ada)
      await expectAccessible(ada)
      await ada.keyboard.press('Escape')
    }
    await ada.emulateMedia({ colorScheme: null })
    await ada.setViewportSize({ width: 1440, height: 900 })
  })
  await bell(ada).click()
  await expect(list(ada).getByRole('listitem')).toHaveCount(3)
  await expect(list(ada).getByRole('button', { name: 'Clear' })).toHaveCount(0)
  await list(ada).getByRole('button', { name: 'Mark as read' }).first().click()
  await expect(bell(ada)).toHaveAccessibleName('Notifications, 2 unread')
  await list(ada).getByRole('button', { name: 'Delete' }).nth(1).press('Enter')
  await expect(list(ada).getByRole('listitem')).toHaveCount(2)
  await expect(list(ada).getByRole('button', { name: 'Delete' }).nth(1)).toBeFocused()
  await list(ada).getByRole('button', { name: 'Clear' }).click()
  await expect(list(ada).getByRole('listitem')).toHaveCount(1)
  await list(ada).getByRole('button', { name: 'Read all' }).click()
  await expect(list(ada).getByRole('button', { name: 'Read all' })).toHaveCount(0)
  await expect(bell(ada)).toHaveAccessibleName('Notifications')
  await list(ada).getByRole('button', { name: 'Clear' }).click()
  await expect(list(ada).getByText('All caught up!')).toBeVisible()
})

test('two tabs share one stream, and the second tab takes over when the first closes', async ({
  page: first,
  context,
}) => {
  await openAs(first, 'ada_builds')
  const opened: Page[] = []
  const isStream = (url: string) => url.includes('/api/notification-stream')
  context.on('request', (request) => isStream(request.url()) && opened.push(request.frame().page()))
  await first.goto('/')
  await expect.poll(() => opened.length).toBe(1)
  const second = await context.newPage()
  await second.goto('/popular')
  await waitUntilSignedIn(second)
  await callApi(first, 'POST', '/api/user-notifications', { action: 'mark_read', mark_all_read: true })
  for (const tab of [first, second]) await expect(bell(tab)).toHaveAccessibleName('Notifications')
  await notifyAda(second, 'remote logger')
  for (const tab of [first, second]) await expect(bell(tab)).toHaveAccessibleName('Notifications, 1 unread')
  expect(opened).toEqual([first])
  await first.close()
  await expect.poll(() => opened.length).toBe(2)
  expect(opened[1]).toBe(second)
  await notifyAda(second, 'object pool')
  await expect(bell(second)).toHaveAccessibleName('Notifications, 2 unread')
})

test('disabled notifications are not sent', async ({ page: ada }) => {
  await openAs(ada, 'ada_builds', '/profile/settings?tab=notifications')
  await callApi(ada, 'POST', '/api/user-notifications', { action: 'mark_read', mark_all_read: true })
  const ratingsSwitch = ada.getByRole('switch', { name: 'Ratings and reviews' })
  const saved = () =>
    ada.waitForResponse((response) => response.url().endsWith('/api/notification-settings') && response.ok())
  await expect(ratingsSwitch).toBeChecked()
  // The site has no mail server.
  await expect(ada.getByRole('region', { name: 'Email' })).toHaveCount(0)
  await expectAccessible(ada)
  await Promise.all([saved(), ratingsSwitch.press('Space')])
  await ada.reload()
  await expect(ratingsSwitch).not.toBeChecked()
  await notifyAda(ada, 'remote logger')
  await ada.reload()
  await expect(bell(ada)).toHaveAccessibleName('Notifications')
  await Promise.all([saved(), ratingsSwitch.check()])
  await ada.route('**/api/notification-settings', (route) => route.fulfill({ status: 503, json: {} }))
  await ratingsSwitch.click()
  await expect(ada.getByText('Failed to save notification settings')).toBeVisible()
  await expect(ratingsSwitch).toBeChecked()
})

test('without a stream notifications are polled every five minutes and when the tab becomes visible', async ({
  page: guest,
}) => {
  await openAs(guest, 'Someone new')
  await guest.route('**/api/notification-stream', (route) => route.abort())
  let requestCount = 0
  await guest.route('**/api/user-notifications', (route) => {
    requestCount++
    const message = 'Written by a journey.'
    const notification = { type: 'odd', title: `Number ${requestCount}`, message, link: null, is_read: false }
    const notifications = [{ ...notification, id: 1, created_at: new Date().toISOString() }]
    return route.fulfill({ json: { notifications, unread_count: requestCount + 8 } })
  })
  await guest.clock.install()
  await guest.goto('/')
  await expect(bell(guest)).toHaveText('9')
  // The page's clock also runs by itself, for seconds between two steps on a busy machine.
  await guest.clock.fastForward(240_000)
  expect(requestCount).toBe(1)
  await guest.clock.fastForward(60_000)
  await expect(bell(guest)).toHaveText('9+')
  expect(requestCount).toBe(2)
  await guest.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => requestCount).toBe(3)
  await bell(guest).click()
  await expect(list(guest).getByText('Info, unread: Number 3')).toBeVisible()
})
