import { readFile } from 'node:fs/promises'
import type { FavoriteList } from '#contract/favorites.ts'
import { chooseAccountEntry, choosePerson, openAs } from './members.ts'
import {
  delayRequests,
  expect,
  expectAccessible,
  expectGoodOnEachScreen,
  expectNoOverflow,
  findScript,
  forward,
  measureLayoutShift,
  open,
  test,
} from './page.ts'
import { expectToast } from './portal.ts'

const favorite = { name: /^Favorite \d/ }
const favorited = { name: /^Favorited \d/ }

test('a visitor signs in to add a favorite, which is added then, and sees why a change failed', async ({ page }) => {
  const path = await findScript(page, 'orbit camera')
  await open(page, path)
  await page.getByRole('button', favorite).click()
  await choosePerson(page, 'Someone new')
  await expect(page).toHaveURL(path)
  await expect(page.getByRole('button', { name: 'Favorited 1 member' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', favorited)).toBeVisible()

  await test.step('a press that fails before the favorite is loaded does not hide it', async () => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/script-favorite?*', async (route) => {
      await isReleased
      await route.continue()
    })
    await page.route('**/api/favorites', (route) => route.fulfill({ status: 500, json: { error: 'Not now.' } }))
    await page.reload()
    await page.getByRole('button', favorite).click()
    await expect(page.getByRole('alert').getByText('Not now.')).toBeVisible()
    release()
    await expect(page.getByRole('button', favorited)).toBeVisible()
    await page.unrouteAll()
  })

  await test.step('a press while the one before is being saved is saved after it', async () => {
    const answer = await delayRequests(page, '**/api/favorites*')
    await page.getByRole('button', favorited).click()
    await page.getByRole('button', favorite).click()
    await expect(page.getByRole('button', favorited)).toBeVisible()
    const added = page.waitForResponse((response) => response.request().method() === 'POST')
    answer()
    expect((await added).ok()).toBe(true)
    await page.unrouteAll()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Favorited 1 member' })).toBeVisible()
  })

  await page.getByRole('button', favorited).click()
  await expect(page.getByRole('button', favorite)).toBeVisible()
  await test.step('an error leaves the favorite as it was and says why', async () => {
    await page.route('**/api/favorites', (route) => route.fulfill({ status: 500, json: { error: 'Try again later.' } }))
    await page.getByRole('button', favorite).click()
    await expect(page.getByRole('alert').getByText('Try again later.')).toBeVisible()
    await expect(page.getByRole('button', favorite)).toBeVisible()
  })
})

test('a member adds, sorts, exports and removes favorites, and undoes a removal', async ({ page: member }) => {
  await openAs(member, 'Someone new', '/favorites')
  await expect(member.getByRole('heading', { name: 'No favorites yet' })).toBeVisible()
  await expectAccessible(member)
  for (const words of ['snake', 'janitor']) {
    await member.goto(await findScript(member, words))
    const button = member.getByRole('button', favorite)
    await button.focus()
    const saved = member.waitForResponse(
      (response) => response.request().method() !== 'GET' && response.url().includes('favorite'),
    )
    await member.keyboard.press('Enter')
    await expect(member.getByRole('button', favorited)).toBeVisible()
    await saved
  }
  await chooseAccountEntry(member, 'Favorites')
  await expect(member).toHaveURL('/favorites')
  const list = member.getByRole('list', { name: 'Favorites' })
  const titles = () => list.getByRole('heading', { level: 3 }).allInnerTexts()
  await expect.poll(titles).toHaveLength(2)
  const [newest = '', oldest = ''] = await titles()

  await member.getByLabel('Sort').selectOption('Name')
  await expect(member).toHaveURL('/favorites?sort=name')
  await expect.poll(titles).toEqual([newest, oldest].toSorted())

  await member.getByRole('button', { name: 'Export' }).click()
  const download = member.waitForEvent('download')
  await member.getByRole('menuitem', { name: 'Spreadsheet (CSV)' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv.split('\r\n')[0]).toBe('\uFEFFtitle,author,version,url,added_at')
  expect(csv).toContain(newest)

  await chooseAccountEntry(member, 'Favorites')
  await expect(member).toHaveURL('/favorites')
  await member.getByRole('button', { name: `Remove ${oldest} from favorites` }).click()
  await expectToast(member, 'Removed from favorites')
  await expect.poll(titles).toEqual([newest])
  await expect(member.getByRole('button', { name: `Remove ${newest} from favorites` })).toBeFocused()
  await member.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(titles).toEqual([newest, oldest])
  await test.step('a page that has lost its last favorite shows those that follow', async () => {
    await member.route(
      '**/api/favorites?*',
      async (route) => {
        const response = await forward(route)
        const loaded = (await response.json()) as FavoriteList
        await route.fulfill({ response, json: { ...loaded, favorites: loaded.favorites.slice(0, 1) } })
      },
      { times: 1 },
    )
    await member.reload()
    await expect.poll(titles).toEqual([newest])
    await member.getByRole('button', { name: `Remove ${newest} from favorites` }).click()
    await expect.poll(titles).toEqual([oldest])
    await expect(member.getByRole('button', { name: `Remove ${oldest} from favorites` })).toBeFocused()
  })
  await expectGoodOnEachScreen(member)
})

test('a member adds favorites on cards, whose state comes in one request and moves nothing', async ({ page }) => {
  await test.step('visitors see cards without the button', async () => {
    await open(page, '/scripts?search=camera')
    await expect(page.getByRole('article').first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^Favorite / })).toHaveCount(0)
  })
  await openAs(page, 'lin')
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/favorite-scripts')) requests.push(request.url())
  })
  const states = page.waitForResponse((response) => response.url().includes('/api/favorite-scripts'))
  await page.goto('/scripts?search=camera')
  const hearts = page.getByRole('main').getByRole('button', { name: /^Favorite / })
  await expect(hearts.first()).toBeVisible()
  await expect.poll(() => requests.length).toBe(1)
  expect(await measureLayoutShift(page)).toBeLessThan(0.01)
  const heart = page.getByRole('button', { name: 'Favorite Orbit Camera' })
  const { favorites } = (await (await states).json()) as { favorites: number[] }
  const isOn = favorites.includes(Number((await findScript(page, 'orbit camera')).split('-').at(-1)))
  await expect(heart).toHaveAttribute('aria-pressed', String(isOn))
  const saved = page.waitForResponse((response) => response.url().includes('/api/favorites'))
  await heart.focus()
  await page.keyboard.press('Enter')
  await expect(heart).toHaveAttribute('aria-pressed', String(!isOn))
  await saved
  await expectAccessible(page)
  await expectNoOverflow(page)
  await page.reload()
  await expect(heart).toHaveAttribute('aria-pressed', String(!isOn))
  expect(requests).toHaveLength(2)
  // The heart lies above the link that covers the card.
  await heart.click()
  await expect(page).toHaveURL('/scripts?search=camera')
  await expect(heart).toHaveAttribute('aria-pressed', String(isOn))
})
