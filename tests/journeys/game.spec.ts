import { callApi } from './members.ts'
import { expect, expectAccessible, expectGoodOnEachScreen, findScript, open, test } from './page.ts'
import { unique } from './portal.ts'
import { publishScript } from './publishing.ts'

const GAME = '1000000302'
const newGame = () => String(10_000_000_000 + Math.floor(Math.random() * 1e9))

test('a game lists its scripts, which its name finds', async ({ page }) => {
  await open(page, await findScript(page, 'round system'))
  const link = page.getByRole('complementary').getByRole('link', { name: 'Last Light: Survival' })
  await expect(link).toHaveAttribute('href', `/games/${GAME}`)
  await link.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Last Light: Survival' })).toBeVisible()
  await expect(page.locator('article')).toHaveCount(2)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`/games/${GAME}$`))
  await expectGoodOnEachScreen(page)

  const box = page.getByPlaceholder('Search scripts or #tag...')
  await box.fill('wave')
  await box.press('Enter')
  await expect(page.locator('article')).toHaveCount(1)
  await expect(page).toHaveURL(`/games/${GAME}?search=wave`)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await page.getByLabel('Sort').selectOption('title')
  await expect(page).toHaveURL(/sort=title/)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('last li')
  await page
    .getByRole('group', { name: 'Games' })
    .getByRole('option', { name: /^Last Light: Survival/ })
    .click()
  await expect(page).toHaveURL(`/games/${GAME}`)

  await page.goto(`/games/${newGame()}`)
  await expect(page.getByRole('heading', { level: 1, name: 'No scripts for this game' })).toBeVisible()
  await expectAccessible(page)
})

test('the first author is asked for the name of a game, and a moderator changes it', async ({ page, signInAs }) => {
  const game = newGame()
  const named = unique('Lamp Island')
  const author = await signInAs('lin', '/upload')
  const fold = author.getByText('Universal, client-side, free, public')
  if (await fold.isVisible()) await fold.click()
  await author.getByRole('radio', { name: /^Game-specific/ }).check()
  await author.getByRole('textbox', { name: 'Game ID' }).fill(game)
  await author.getByRole('textbox', { name: 'Game name' }).fill(named)
  await expectAccessible(author)
  await author.getByRole('textbox', { name: 'Game ID' }).fill(GAME)
  await expect(author.getByText('This is Last Light: Survival.')).toBeVisible()
  await expect(author.getByRole('textbox', { name: 'Game name' })).toHaveCount(0)

  await publishScript(author, { title: 'For an island', is_universal: false, game_id: game, game_name: named })
  const staff = await signInAs('marlow', `/games/${game}`)
  await staff.getByRole('button', { name: 'Rename' }).click()
  const dialog = staff.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: /^Name/ })).toHaveValue(named)
  await expectAccessible(staff)
  const renamed = unique('Lantern Island')
  await dialog.getByRole('textbox', { name: /^Name/ }).fill(renamed)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(staff.getByRole('heading', { level: 1, name: renamed })).toBeVisible()
  await page.goto(`/games/${game}`)
  await expect(page.getByRole('heading', { level: 1, name: renamed })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Rename' })).toHaveCount(0)
  expect((await callApi(author, 'PUT', '/api/game', { id: game, name: 'Mine' })).status).toBe(403)
})
