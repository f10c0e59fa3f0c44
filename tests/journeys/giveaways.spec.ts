import { callApi, openAs, readToken, waitUntilSignedIn } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, forward, open, test } from './page.ts'
import { unique } from './portal.ts'

const PASSES = 'Summer build jam: three editor passes'
const OVER = 'Spring cleaning: test-place licences'

test('a visitor sees giveaways and winners, logs in to enter, and enters once', async ({ page }) => {
  await open(page, '/giveaways')
  await expect(page.getByText('Active Giveaways')).toBeVisible()
  await expect(page.getByText('Total Entries')).toBeVisible()
  await expect(page.getByText('Winners Selected')).toBeVisible()
  const card = page.getByRole('article').filter({ hasText: PASSES })
  await expect(card.getByText(/^1[12]d \d+h remaining$/)).toBeVisible()
  await expect(card.getByRole('button', { name: 'Login to Enter' })).toBeEnabled()
  await expect(page.getByRole('heading', { name: 'Ready to Join?' })).toBeVisible()
  expect(await page.content()).not.toContain('DEMO-')
  await expectNoOverflow(page)
  await expectAccessible(page)

  await card.getByRole('button', { name: 'Login to Enter' }).click()
  await page.getByRole('button', { name: /^Someone new/ }).click()
  await waitUntilSignedIn(page)
  await expect(page).toHaveURL(/\/giveaways$/)
  const before = Number.parseInt((await card.getByText(/^\d+ entries$/).textContent()) ?? '', 10)
  await card.getByRole('button', { name: 'Enter giveaway' }).click()
  await expect(page.getByText('Successfully entered giveaway! Good luck!')).toBeVisible()
  await expect(card.getByText("You're entered")).toBeVisible()
  await expect(card.getByText(`${before + 1} entries`)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ready to Join?' })).toHaveCount(0)
  await expectAccessible(page)
  await page.reload()
  await expect(card.getByText("You're entered")).toBeVisible()
})

test('a member sees why an entry failed', async ({ page }) => {
  await openAs(page, 'Someone new', '/giveaways')
  await test.step('an entry in another tab', async () => {
    const card = page.getByRole('article').filter({ hasText: PASSES })
    await expect(card.getByRole('button', { name: 'Enter giveaway' })).toBeEnabled()
    const response = await page.request.get('/api/giveaways')
    const { data } = (await response.json()) as { data: { giveaways: { id: number; title: string }[] } }
    const entered = await page.request.post('/api/giveaways', {
      headers: { authorization: `Bearer ${await readToken(page)}` },
      data: { action: 'enter', giveaway_id: data.giveaways.find(({ title }) => title === PASSES)?.id },
    })
    expect(entered.status()).toBe(200)
    await card.getByRole('button', { name: 'Enter giveaway' }).click()
    await expect(page.getByText('You have already entered this giveaway.')).toBeVisible()
    await expect(card.getByText("You're entered")).toBeVisible()
  })
  await test.step('a failure without a reason shows a sentence', async () => {
    await page.route('**/api/giveaways', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
    )
    await page.getByRole('button', { name: 'Enter giveaway' }).first().click()
    await expect(page.getByText('Failed to enter giveaway')).toBeVisible()
    await page.unroute('**/api/giveaways')
    await page.getByRole('button', { name: 'Enter giveaway' }).first().click()
    await expect(page.getByText('Successfully entered giveaway! Good luck!')).toBeVisible()
    await expect(page.getByText('Failed to enter giveaway')).toHaveCount(0)
  })
})

test('a giveaway that ends is shown as ended and no longer counted', async ({ page, signInAs }) => {
  const admin = await signInAs('marlow')
  const title = unique('Short candle')
  const values = { title, end_date: new Date(Date.now() + 8000).toISOString() }
  expect((await callApi(admin, 'POST', '/api/giveaways', values)).status).toBe(201)
  await open(page, '/giveaways')
  const card = page.getByRole('article').filter({ hasText: title })
  const active = page.getByRole('listitem').filter({ hasText: 'Active Giveaways' })
  await expect(card.getByText('Active', { exact: true })).toBeVisible()
  const before = Number((await active.textContent())?.replaceAll(/\D/g, ''))
  await expect(card.getByText('Ended').first()).toBeVisible({ timeout: 15_000 })
  await expect(card.getByRole('button', { name: 'Login to Enter' })).toHaveCount(0)
  await expect(active).toContainText(String(before - 1))
})

test('a member with an unverified email address or an expired session cannot enter', async ({ page }) => {
  await openAs(page, 'lin', '/giveaways')
  const card = page.getByRole('article').filter({ hasText: 'Code review by kestrel' })
  await card.getByRole('button', { name: 'Enter giveaway' }).click()
  await expect(page.getByRole('alert')).toContainText(/verif/i)
  await expect(card.getByRole('button', { name: 'Enter giveaway' })).toBeEnabled()
  await test.step('an expired session is explained', async () => {
    await page.route('**/api/giveaways', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 401, json: { error: 'Unauthorized', code: 'unauthorized' } })
        : route.continue(),
    )
    await card.getByRole('button', { name: 'Enter giveaway' }).click()
    await expect(page.getByText("Unauthorized. You've been signed out. Sign in and try again.")).toBeVisible()
  })
})

test('visitors can verify a draw in the browser, unless it was manipulated', async ({ page }) => {
  await open(page, '/giveaways')
  const card = page.getByRole('article').filter({ hasText: OVER })
  await expect(card.getByText('2 winners').first()).toBeVisible()
  const verify = card.getByRole('link', { name: 'Verify this draw' })
  await test.step('a draw that fails to load can be retried', async () => {
    let isOffline = true
    await page.route('**/api/giveaway-draw?*', (route) => (isOffline ? route.abort() : route.continue()))
    await verify.click()
    const retry = page.getByRole('button', { name: 'Try again' })
    await expect(retry).toBeVisible()
    await expect(page.getByText("Couldn't reach the server. Check your connection and try again.")).toBeVisible()
    await expectAccessible(page)
    isOffline = false
    await retry.click()
    await expect(page.getByText(/^Verified\./)).toBeVisible()
    await expectNoOverflow(page)
    await expectAccessible(page)
    await page.unroute('**/api/giveaway-draw?*')
  })
  await test.step('a manipulated draw fails verification', async () => {
    await page.route('**/api/giveaway-draw?*', async (route) => {
      const response = await forward(route)
      const draw = (await response.json()) as { winners: number[] }
      await route.fulfill({ response, json: { ...draw, winners: draw.winners.toReversed() } })
    })
    await open(page, '/giveaways')
    await verify.click()
    await expect(page.getByText('Verification failed. The winners differ.')).toBeVisible()
  })
  await test.step('an unknown draw is not found', async () => {
    await page.unroute('**/api/giveaway-draw?*')
    expect((await page.request.get('/giveaways/999999/draw')).status()).toBe(404)
    await open(page, '/giveaways/999999/draw')
    await expect(page.getByText('This giveaway was not found.')).toBeVisible()
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    await expect(page.getByRole('link', { name: 'All published data as JSON' })).toHaveCount(0)
    await expectAccessible(page)
  })
})

test('a showcase links to its video and loads nothing from other sites', async ({ page }) => {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).hostname.includes('youtube')) foreign.push(request.url())
  })
  await openAs(page, 'marlow')
  const response = await page.request.get('/api/scripts?showcased=true&sort=showcase_date')
  const { scripts } = (await response.json()) as { scripts: { id: number }[] }
  const changed = await page.request.put('/api/showcases', {
    headers: { authorization: `Bearer ${await readToken(page)}` },
    data: { script_id: scripts[0]?.id, showcase_video_url: 'https://youtu.be/abcdefghijk' },
  })
  expect(changed.status()).toBe(200)
  await page.goto('/showcases')
  const watch = page.getByRole('link', { name: /^Watch the video/ })
  await expect(watch).toHaveAttribute('href', /^https:\/\/[a-z.]*youtu\.?be.*abcdefghijk$/)
  await expect(watch).toHaveAttribute('rel', /noopener/)
  expect(foreign).toEqual([])
})
