import { callApi, choosePerson } from './members.ts'
import { expect, expectAccessible, expectGoodOnEachScreen, findScript, forward, open, PHONE, test } from './page.ts'
import { expectToast, unique } from './portal.ts'

test('a visitor signs in to follow an author', async ({ page }) => {
  await open(page, '/profile/lin')
  await page.getByRole('button', { name: /^Follow / }).click()
  await choosePerson(page, 'Someone new')
  await expect(page).toHaveURL('/profile/lin')
  await expect(page.getByRole('button', { name: /^Following / })).toBeVisible()
  await expect(page.getByText('1 follower', { exact: true })).toBeVisible()
})

test('a follower and watcher is notified, and unsubscribes in the notification', async ({ page, signInAs }) => {
  const author = await signInAs('ada_builds')
  const title = unique('Followed lamp')
  const member = await signInAs('Someone new', '/profile/ada_builds')
  // The buttons change before the server has saved the change.
  const saved = (path: string) =>
    member.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith(path))
  const followed = saved('/api/follows')
  await member.getByRole('button', { name: /^Follow / }).click()
  await expect(member.getByRole('button', { name: /^Following / })).toBeVisible()
  await followed

  const values = { title, description: 'A script.', script_content: 'print(1)' }
  const { script } = JSON.parse((await callApi(author, 'POST', '/api/scripts', values)).text) as {
    script: { id: number; slug: string }
  }
  const bell = member.getByRole('button', { name: /^Notifications/ })
  await expect(bell).toHaveAccessibleName(/1 unread/)
  await bell.click()
  await member.getByRole('link', { name: 'New script', exact: true }).click()
  await expect(member.getByRole('heading', { level: 1, name: title })).toBeVisible()
  const more = member.getByRole('button', { name: 'More', exact: true })
  await more.focus()
  await member.keyboard.press('Enter')
  await expect(member.getByRole('menuitem', { name: 'Watch' })).toBeFocused()
  await member.keyboard.press('Enter')
  await expectToast(member, 'You watch this script. New versions notify you.')

  await callApi(author, 'PUT', `/api/script-details?id=${script.id}`, { script_content: 'print(2)', version: '2.0.0' })
  await expect(bell).toHaveAccessibleName(/1 unread/)
  await bell.click()
  await expect(member.getByText(`updated “${title}” to version 2.0.0.`)).toBeVisible()
  await expectAccessible(member)
  await member.getByRole('button', { name: `Stop watching ${title}` }).click()
  await expect(member.getByText(`updated “${title}” to version 2.0.0.`)).toHaveCount(0)
  await member.keyboard.press('Escape')

  await member.goto('/following')
  await expect(member.getByRole('list', { name: 'Authors' })).toBeVisible()
  await expectGoodOnEachScreen(member)
  const missing = member.getByRole('heading', { name: "This page doesn't exist" })
  await member.goto('/following?page=2')
  await expect(missing).toBeVisible()
  await member.getByRole('link', { name: 'Show the first page' }).click()
  await member.getByRole('button', { name: /^Unfollow / }).click()
  await expect(member.getByRole('heading', { name: "You don't follow anyone yet" })).toBeVisible()
  await member.getByRole('tab', { name: 'Watched scripts' }).click()
  await expect(member.getByRole('heading', { name: "You don't watch any scripts yet" })).toBeVisible()
  await member.goto(await findScript(page, 'snake'))
  await more.click()
  await member.getByRole('menuitem', { name: 'Watch' }).click()
  await expectToast(member, 'You watch this script. New versions notify you.')
  await test.step('a page that has lost its last script shows what follows, or links to the first page', async () => {
    const { scripts } = (await (await member.request.get('/api/scripts?limit=50')).json()) as {
      scripts: { id: number; title: string }[]
    }
    const others = scripts.filter(({ title: other }) => !other.startsWith('Snake')).slice(0, 20)
    for (const { id } of others) await callApi(member, 'POST', '/api/watches', { script_id: id })
    // Snake is watched first, so it is alone on the second page.
    await member.goto('/following?tab=scripts&page=2')
    await member.getByRole('button', { name: /^Stop watching Snake/ }).click()
    await expect(missing).toBeVisible()
    await member.route(
      '**/api/watched-scripts?*',
      async (route) => {
        const response = await forward(route)
        const list = (await response.json()) as { scripts: object[] }
        await route.fulfill({ response, json: { ...list, scripts: list.scripts.slice(0, 1) } })
      },
      { times: 1 },
    )
    await member.getByRole('link', { name: 'Show the first page' }).click()
    await expect(member.getByRole('article')).toHaveCount(1)
    await member.getByRole('button', { name: /^Stop watching / }).press('Enter')
    await expect(member.getByRole('article')).toHaveCount(19)
    await expect(member.getByRole('button', { name: /^Stop watching / }).first()).toBeFocused()
  })
  await test.step('the button after a removed one gets the focus', async () => {
    const buttons = member.getByRole('button', { name: /^Stop watching / })
    const next = (await buttons.nth(2).getAttribute('aria-label')) ?? ''
    await buttons.nth(1).press('Enter')
    await expect(buttons).toHaveCount(18)
    await expect(member.getByRole('button', { name: next })).toBeFocused()
  })
  await test.step('the button covers no text on a phone', async () => {
    await member.setViewportSize(PHONE.viewport)
    const covered = await member.getByRole('article').evaluateAll((cards) =>
      cards.flatMap((card) => {
        const button = card.querySelector('[data-remove]')?.getBoundingClientRect() ?? new DOMRect()
        if (button.width === 0) return ['no button']
        // The author's link is cut off at its own edge, so its box is what is visible of the name.
        const texts = [...card.querySelectorAll('h3, a:has(bdi), time')].filter((text) => {
          const box = text.getBoundingClientRect()
          return box.width > 0 && box.right > button.left && box.top < button.bottom
        })
        return texts.map((text) => text.textContent)
      }),
    )
    expect(covered).toEqual([])
  })
})
