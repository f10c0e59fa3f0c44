import { accountButton, signInWithDiscord } from './members.ts'
import { expect, test, open, expectAccessible } from './page.ts'

const heading = { level: 1 } as const

test('a visitor reads a profile with names, stats and dates', async ({ page }) => {
  await open(page, '/profile/ada_builds')
  await expect(page).toHaveTitle(/Ada/)
  await expect(page.getByRole('heading', heading)).toHaveText('Ada')
  await expect(page.getByText('@ada_builds')).toBeVisible()
  for (const [label, value] of [
    ['Scripts', /^[1-9]\d*$/],
    ['Reputation', /^\d/],
    ['Views', /^[\d.]+K?$/],
    ['Rating', /^[0-5]\.\d$/],
  ] as const) {
    const card = page.getByRole('tabpanel').locator('dl > div').filter({ hasText: label })
    await expect(card.locator('dd')).toHaveText(value)
  }
  const side = page.getByRole('complementary', { name: 'About this member' })
  await expect(side.getByText('Quick Stats')).toBeVisible()
  await expect(side.locator('dl > div').filter({ hasText: 'Member Since' }).locator('dd')).toHaveText(/^20\d\d$/)
  await expect(side.locator('dl > div').filter({ hasText: 'Last Seen' }).locator('dd')).toHaveText(/ago$|^just now$/)
  await expect(page.getByText('Administrator')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Edit Profile' })).toHaveCount(0)
  await expectAccessible(page)

  await test.step('the tabs have URLs, work by keyboard and lead to the scripts and back, also after an error', async () => {
    await page.getByRole('tab', { name: 'Overview' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name: 'Scripts' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/profile\/ada_builds\?tab=scripts$/)
    await expect(page.getByRole('tab', { name: 'Scripts' })).toHaveAttribute('aria-selected', 'true')
    const cards = page.getByRole('article')
    await expect(cards.first()).toContainText('Ada')
    await expectAccessible(page)
    await cards.first().getByRole('heading').getByRole('link').click()
    await expect(page).toHaveURL(/\/scripts\//)
    await page.route('**/api/user-profiles*', (route) => route.fulfill({ status: 500, json: { error: 'Broken.' } }))
    await page.getByRole('link', { name: 'Ada', exact: true }).first().click()
    await expect(page.getByRole('heading', { name: 'Failed to load user profile' })).toBeVisible()
    await expectAccessible(page)
    await page.unroute('**/api/user-profiles*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', heading)).toHaveText('Ada')
    await expect(page.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true')
  })
})

test("an admin's profile shows badges and a title, and scripts from the server until their code has arrived", async ({
  page,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/assets\/profile-scripts-/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/profile/marlow')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Login with Discord' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Top scripts' })).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Administrator' })).toBeVisible()
  const badges = page.getByRole('list', { name: 'Badges' })
  await expect(badges.getByRole('listitem')).toHaveText(['Admin', 'Founder'])
  await expect(badges.locator('span', { hasText: 'Founder' })).toHaveCSS('background-color', 'rgb(139, 92, 246)')
  await expect(page.getByText('Site keeper')).toBeVisible()
  await expectAccessible(page)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a profile and its scripts can be read', async ({ page }) => {
    await page.goto('/profile/ada_builds')
    await expect(page.getByRole('heading', heading)).toHaveText('Ada')
    await page.getByRole('tab', { name: 'Scripts' }).click()
    await expect(page.getByRole('article').first()).toBeVisible()
  })
})

test('id and username redirect to the URL of a profile', async ({ page }) => {
  const { profile } = (await (await page.request.get('/api/user-profiles?user_id=lin')).json()) as {
    profile: { user_id: number }
  }
  for (const name of [String(profile.user_id), 'LIN']) {
    expect((await page.request.get(`/profile/${name}`)).url()).toMatch(/\/profile\/lin$/)
  }
  await open(page, '/profile/Lin?tab=scripts')
  await expect(page).toHaveURL(/\/profile\/lin\?tab=scripts$/)
})

test('an unknown member gets a 404 page that links home', async ({ page }) => {
  const response = await page.goto('/profile/nobody_at_all')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'User Not Found' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go Back Home' }).click()
  await expect(page).toHaveURL(/\/$/)
})

test('a private profile shows only name and image to visitors, and everything to admins', async ({ page }) => {
  await open(page, '/profile/sable')
  await expect(page.getByRole('heading', heading)).toHaveText('Sable')
  await expect(page.getByText('This profile is private')).toBeVisible()
  await expect(page.getByText('Inventories, loot')).toHaveCount(0)
  await expect(page.getByText('Quick Stats')).toHaveCount(0)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await expectAccessible(page)
  await signInWithDiscord(page, 'marlow')
  await expect(page.getByText('Inventories, loot')).toBeVisible()
  await expect(page.getByText('Private profile')).toBeVisible()
  await test.step('signing out hides the private profile from an admin', async () => {
    await accountButton(page).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByText('This profile is private')).toBeVisible()
    await expect(page.getByText('Inventories, loot')).toHaveCount(0)
  })
})

test('/profile/me asks visitors to log in and leads members to their own profile', async ({ page }) => {
  await page.goto('/profile/me')
  await expect(page.getByRole('heading', { name: 'Please log in to view your profile' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('main').getByRole('button', { name: 'Login with Discord' }).click()
  await page.getByRole('button', { name: /^ada_builds/ }).click()
  await expect(page).toHaveURL(/\/profile\/ada_builds$/)
  await expect(page.getByRole('link', { name: 'Edit Profile' })).toHaveAttribute('href', '/profile/settings')
  await expectAccessible(page)
})
