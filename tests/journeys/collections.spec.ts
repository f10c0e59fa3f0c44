import type { CollectionPage } from '#contract/collections.ts'
import { callApi, chooseAccountEntry } from './members.ts'
import { expect, expectAccessible, expectGoodOnEachScreen, findScript, forward, test } from './page.ts'
import { unique } from './portal.ts'

test('a member collects scripts, orders and describes them, and shares the collection', async ({ page, signInAs }) => {
  const name = unique('Bright lamps')
  const member = await signInAs('ada_builds', await findScript(page, 'snake'))
  await member.getByRole('button', { name: 'More', exact: true }).click()
  await member.getByRole('menuitem', { name: 'Add to a collection…' }).click()
  const dialog = member.getByRole('dialog')
  await dialog.getByRole('button', { name: 'New collection' }).click()
  await dialog.getByRole('textbox', { name: /^Name/ }).fill(name)
  await dialog.getByRole('switch', { name: 'Public' }).check()
  await expectAccessible(member)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('checkbox', { name })).toBeChecked()
  await dialog.getByRole('button', { name: 'Done' }).click()

  await member.goto(await findScript(page, 'janitor'))
  await member.getByRole('button', { name: 'More', exact: true }).click()
  await member.getByRole('menuitem', { name: 'Add to a collection…' }).click()
  await dialog.getByRole('checkbox', { name }).check()
  await expect(dialog.getByText('2 scripts, public')).toBeVisible()
  await dialog.getByRole('link', { name: `Open ${name}` }).click()
  await expect(member.getByRole('heading', { level: 1, name })).toBeVisible()
  const path = new URL(member.url()).pathname

  await member.getByRole('button', { name: 'Order and notes' }).click()
  const up = member.getByRole('button', { name: /^Move Janitor.* up$/ })
  await up.focus()
  const saved = member.waitForResponse((response) => response.url().includes('collection-items'))
  await member.keyboard.press('Enter')
  await saved
  await expect(up).toBeDisabled()
  const rows = member.locator('main ol > li')

  await test.step('the old order is not shown again while the page loads the saved one', async () => {
    const shown = await member.locator('main ol').evaluateHandle((list) => {
      const firstRows = [list.firstElementChild]
      const observer = new MutationObserver(() => {
        if (list.firstElementChild !== firstRows.at(-1)) firstRows.push(list.firstElementChild)
      })
      observer.observe(list, { childList: true })
      return firstRows
    })
    // Many moves, because React shows two updates in the wrong order only now and then.
    for (let move = 0; move < 12; move++) {
      const loaded = member.waitForResponse((response) => response.url().includes('/api/collection?'))
      await rows.nth(1).getByRole('button', { name: / up$/ }).click()
      await loaded
    }
    expect(await shown.evaluate((firstRows) => firstRows.length)).toBe(13)
  })

  for (const first of ['Snake', 'Janitor']) {
    await rows.nth(1).locator('[draggable]').dragTo(rows.nth(0))
    await expect(rows.nth(0)).toContainText(first)
  }
  await member.getByRole('textbox', { name: /^Note on Janitor/ }).fill('Start here.')
  await member.getByRole('button', { name: 'Done' }).click()
  await expect(member.getByText('Start here.')).toBeVisible()

  await page.goto(path)
  await expect(page.locator('main ol h3')).toHaveText([/^Janitor/, /^Snake/])
  await expect(page.getByText('Start here.')).toBeVisible()
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', name)
  for (const url of ['/collections', path]) {
    await member.goto(url)
    await expect(member.getByText(name).first()).toBeVisible()
    await expectGoodOnEachScreen(member)
  }
  await page.goto(`${path}?page=2`)
  await expect(page.getByRole('heading', { name: "This page doesn't exist" })).toBeVisible()
  await page.getByRole('link', { name: 'Show the first page' }).click()
  await expect(page).toHaveURL(path)
  await expect(page.getByText('Start here.')).toBeVisible()

  await test.step('another collection is not opened in the order mode', async () => {
    const other = unique('Dark lamps')
    const created = await callApi(member, 'POST', '/api/collections', {
      name: other,
      description: null,
      is_public: false,
    })
    const { collection } = JSON.parse(created.text) as { collection: { id: number } }
    const { scripts } = (await (await member.request.get('/api/scripts?limit=1')).json()) as {
      scripts: [{ id: number }]
    }
    const item = { collection_id: collection.id, script_id: scripts[0].id }
    await callApi(member, 'POST', '/api/collection-items', item)
    await chooseAccountEntry(member, 'Collections')
    await member.getByRole('link', { name: other }).click()
    await member.getByRole('button', { name: 'Order and notes' }).click()
    await expect(member.getByRole('button', { name: 'Done' })).toBeVisible()
    await member.evaluate(() => history.go(-2))
    await expect(member.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(member.getByRole('button', { name: 'Order and notes' })).toBeVisible()
  })

  await page.goto('/profile/ada_builds')
  await expect(page.getByRole('list', { name: 'Collections' }).getByRole('link', { name })).toBeVisible()

  await member.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('switch', { name: 'Public' }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(member.getByText('Private', { exact: true })).toBeVisible()
  expect((await page.request.get(path)).status()).toBe(404)
  // A second page, which shows the last script again.
  await member.route('**/api/collection?*', async (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('page'))
    const response = await forward(route, { url: route.request().url().replace('page=2', 'page=1') })
    const loaded = (await response.json()) as CollectionPage
    const items = number === 2 ? loaded.items.slice(-1) : loaded.items
    await route.fulfill({
      response,
      json: { ...loaded, items, pagination: { ...loaded.pagination, page: number, pages: 2 } },
    })
  })
  await member.reload()
  await expect(member.getByRole('heading', { level: 1, name })).toBeVisible()
  await test.step('each page shows its own scripts, and quick moves are saved one after the other', async () => {
    await member.getByRole('button', { name: 'Order and notes' }).click()
    await expect(rows).toHaveCount(2)
    await member.getByRole('link', { name: 'Next' }).click()
    await expect(rows).toHaveText([/Snake/])
    await member.getByRole('link', { name: 'Previous' }).click()
    await expect(rows).toHaveText([/Janitor/, /Snake/])
    const saves: string[] = []
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await member.route('**/api/collection-items', async (route) => {
      saves.push('sent')
      await released
      const response = await forward(route)
      saves.push('answered')
      await route.fulfill({ response })
    })
    await member.getByRole('button', { name: /^Move Snake.* up$/ }).click()
    await member.getByRole('button', { name: /^Move Snake.* down$/ }).click()
    release()
    // A move to the end takes two requests.
    await expect.poll(() => saves).toEqual(['sent', 'answered', 'sent', 'answered', 'sent', 'answered'])
    await member.reload()
    await expect(member.locator('main ol h3')).toHaveText([/^Janitor/, /^Snake/])
  })
  await test.step('scripts are removed by keyboard', async () => {
    await member.unrouteAll({ behavior: 'wait' })
    await member.goto(path)
    await member.getByRole('button', { name: 'Order and notes' }).click()
    await member.getByRole('button', { name: /^Remove Janitor/ }).press('Enter')
    await expect(member.getByRole('button', { name: /^Remove Snake/ })).toBeFocused()
    await member.keyboard.press('Enter')
    await expect(member.getByRole('button', { name: 'Edit' })).toBeFocused()
    await expect(member.getByRole('heading', { name: 'No scripts yet' })).toBeVisible()
    await expect(member.getByRole('button', { name: 'Order and notes' })).toHaveCount(0)
    await expectGoodOnEachScreen(member)
  })
  await member.getByRole('button', { name: 'Delete' }).click()
  await member.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(member).toHaveURL('/collections')
})
