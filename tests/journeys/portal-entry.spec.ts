import { openAs, choosePerson, chooseAccountEntry, callApi, readOwnProfile } from './members.ts'
import { expect, test, open, expectAccessible, expectNoOverflow, onEachDevice, PHONE } from './page.ts'
import { openPortal, expectToast, unique } from './portal.ts'

test('a visitor is asked to log in, and returns to the portal', async ({ page }) => {
  await open(page, '/admin/users')
  await expect(page.getByText('Authentication Required')).toBeVisible()
  await expect(page.getByText('Please log in to access the admin portal.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('button', { name: 'Login with Discord' }).click()
  await choosePerson(page, 'marlow')
  await expect(page.getByRole('tab', { selected: true }).first()).toHaveText('User Management')
})

for (const person of ['ada_builds', 'okapi'] as const) {
  test(`${person} is denied`, async ({ signInAs }) => {
    const page = await signInAs(person, '/admin')
    await expect(page.getByText('Access Denied')).toBeVisible()
    await expect(page.getByText("You don't have permission to access the admin portal.")).toBeVisible()
    await expectAccessible(page)
  })
}

test('an admin opens the portal from the account menu, and each tab has a URL', async ({ page }) => {
  await openAs(page, 'marlow', '/')
  await chooseAccountEntry(page, 'Admin Panel')
  for (const [tab, path] of [
    ['Dashboard', '/admin'],
    ['User Management', '/admin/users'],
    ['Script Management', '/admin/scripts'],
    ['Showcase Management', '/admin/showcases'],
    ['Giveaway Management', '/admin/giveaways'],
    ['Moderation', '/admin/moderation'],
    ['Held versions', '/admin/held'],
    ['Notifications', '/admin/notifications'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page).toHaveURL(path)
    await expect(page).toHaveTitle(new RegExp(`^${tab}`))
    await expect(page.getByRole('tab', { selected: true }).first()).toHaveText(new RegExp(`^${tab}`))
  }
  await page.goBack()
  await expect(page.getByRole('tab', { selected: true }).first()).toHaveText(/^Held versions/)
})

test('the tabs work by keyboard and keep the focus', async ({ page }) => {
  await openPortal(page)
  const tab = (name: string) => page.getByRole('tab', { name })
  await tab('Dashboard').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab('User Management')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/admin/users')
  await expect(tab('User Management')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(tab('Moderation')).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await expect(page).toHaveURL('/admin/branding')
})

test('every tab is visible beside the content, and a select lists them on narrow screens', async ({ page }) => {
  await openPortal(page)
  const list = page.getByRole('tablist', { name: 'Admin portal' })
  const tabs = list.getByRole('tab')
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(tabs).toHaveCount(12)
    for (const tab of await tabs.all()) await expect(tab).toBeInViewport({ ratio: 1 })
    for (const group of ['Community', 'Content', 'Site']) await expect(list.getByText(group)).toBeVisible()
    await expectNoOverflow(page)
  }
  for (const viewport of [{ width: 768, height: 1024 }, PHONE.viewport, { width: 320, height: 256 }]) {
    await page.setViewportSize(viewport)
    await expect(tabs).toHaveCount(0)
    await expectNoOverflow(page)
  }
  const select = page.getByRole('combobox', { name: 'Section' })
  await expect(select.getByRole('option')).toHaveCount(12)
  await expect(select.locator('optgroup')).toHaveCount(3)
  await select.focus()
  await select.selectOption('Branding')
  await expect(page).toHaveURL('/admin/branding')
  await expect(select).toBeFocused()
  await expect(page.getByRole('tabpanel')).toBeVisible()
  await expectAccessible(page)
})

onEachDevice(() => {
  test('the tabs say how much work waits, and a decision changes it', async ({ page, signInAs }) => {
    const author = await signInAs('Someone new')
    const title = unique('Counted')
    const body = { title, description: 'A script.', script_content: 'print(1)' }
    const made = JSON.parse((await callApi(author, 'POST', '/api/scripts', body)).text) as { script: { id: number } }
    const moderator = await signInAs('okapi', '/moderation')
    const readWaiting = async () => {
      const read = JSON.parse((await callApi(moderator, 'GET', '/api/open-work')).text) as { cases: number }
      return read.cases
    }
    const complaint = { subject_type: 'script', subject_id: made.script.id, reason: 'spam' }
    await openAs(page, 'lin')
    expect((await callApi(page, 'POST', '/api/reports', complaint)).status).toBe(201)
    const before = await readWaiting()
    await moderator.reload()
    const section = moderator
      .getByRole('tab', { name: `Reports ${before} waiting` })
      .or(moderator.getByRole('combobox', { name: 'Section' }).getByRole('option', { name: `Reports (${before})` }))
    await expect(section.first()).toBeAttached()
    await expectNoOverflow(moderator)
    await expectAccessible(moderator)
    const reportCase = moderator.getByRole('article').filter({ hasText: title })
    await reportCase.getByRole('button', { name: /^Decide/ }).click()
    const dialog = moderator.getByRole('dialog', { name: 'Decide' })
    await dialog.getByRole('radio', { name: 'No violation' }).check()
    await dialog.getByRole('button', { name: 'Dismiss' }).click()
    await expect(reportCase).toHaveCount(0)
    await expect(section).toHaveCount(0)
  })
})

test('unknown portal pages are not found', async ({ page }) => {
  for (const path of ['/admin/nothing', '/admin/scripts/1', '/admin/users/x']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
})

test('Refresh Data reports its result for five seconds', async ({ page }) => {
  await openPortal(page)
  await expect(page.getByText('Total users')).toBeVisible()
  await page.clock.install()
  const button = page.getByRole('button', { name: 'Refresh Data' })
  await button.click()
  const banner = page.getByText('Data refreshed successfully')
  await expect(banner).toBeVisible()
  await page.clock.fastForward(5100)
  await expect(banner).toHaveCount(0)
  await page.route('**/api/admin-keys?*', (route) =>
    route.fulfill({ status: 503, json: { error: 'The site is busy right now.', code: 'unavailable' } }),
  )
  await button.click()
  await expect(page.getByRole('alert').getByText('Failed to fetch data: The site is busy right now.')).toBeVisible()
  await expect(page.getByText('Total users')).toBeVisible()
})

test('data that fails to load shows an error and can be retried', async ({ page }) => {
  await page.route('**/api/admin-scripts?*', (route) => route.fulfill({ status: 500, body: '{}' }))
  await openPortal(page, '/admin/scripts')
  await expectToast(page, 'Failed to fetch scripts')
  await expect(page.getByRole('tabpanel').getByText('API call failed')).toBeVisible()
  await page.unroute('**/api/admin-scripts?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'Scripts' })).toBeVisible()
})

test('the tab refreshes itself every 30 seconds, but not under a dialog, a selection or typing', async ({ page }) => {
  await page.clock.install()
  await openPortal(page, '/admin/users?search=ada_builds')
  await expect(page.getByRole('table', { name: 'Users' })).toBeVisible()
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/admin-keys')) calls += 1
  })
  const countRefreshes = async () => {
    const before = calls
    await page.clock.runFor(32_000)
    return calls - before
  }
  expect(await countRefreshes()).toBe(1)
  await page
    .getByRole('checkbox', { name: /^Select (?!all)/ })
    .first()
    .check()
  expect(await countRefreshes()).toBe(0)
  await page.getByRole('button', { name: 'Clear' }).click()
  expect(await countRefreshes()).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Actions for ada_builds' }).click()
  expect(await countRefreshes()).toBe(0)
  await page.getByRole('menuitem', { name: 'Edit User' }).click()
  expect(await countRefreshes()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('main').getByRole('searchbox').focus()
  expect(await countRefreshes()).toBe(0)
})

test('a former admin sees that access is denied', async ({ page, signInAs }) => {
  const newcomer = await signInAs('Someone new', '/admin')
  const name = (await readOwnProfile(newcomer)).username
  await openPortal(page, `/admin/users?search=${name}`)
  const change = async (entry: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: entry }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: entry }).click()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  }
  await change('Make Admin')
  await newcomer.reload()
  await expect(newcomer.getByText('Total users')).toBeVisible()
  await change('Remove Admin')
  expect((await callApi(newcomer, 'GET', '/api/admin-keys?type=stats')).status).toBe(403)
  await newcomer.getByRole('button', { name: 'Refresh Data' }).click()
  await expect(newcomer.getByText('Access Denied')).toBeVisible()
})
