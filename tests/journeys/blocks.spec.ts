import { callApi } from './members.ts'
import { expect, expectAccessible, expectGoodOnEachScreen, findScript, test } from './page.ts'

test('a member blocks a reviewer, whose review is collapsed, and unblocks them in the settings', async ({
  page,
  signInAs,
}) => {
  const path = await findScript(page, 'snake')
  const id = path.split('-').at(-1)
  const reviewer = await signInAs('lin')
  await callApi(reviewer, 'POST', `/api/script-rating?id=${id}`, { rating: 1, review: 'Very loud words.' })
  const member = await signInAs('ada_builds', path)
  const review = member.getByRole('article').filter({ hasText: 'Lin' }).first()
  await expect(review.getByText('Very loud words.')).toBeVisible()
  await review.getByRole('button', { name: /^More about/ }).click()
  await member.getByRole('menuitem', { name: 'Block' }).click()
  await expectAccessible(member)
  // The list cannot be loaded again: what the member did still shows.
  const failReloads = () =>
    member.route('**/api/blocks*', (route) =>
      route.request().method() === 'GET' ? route.fulfill({ status: 503, json: { error: 'Busy.' } }) : route.continue(),
    )
  await failReloads()
  await member.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await expect(review.getByText('Very loud words.')).toHaveCount(0)
  await member.unrouteAll()
  await member.reload()
  await expect(review.getByText('Very loud words.')).toHaveCount(0)
  await review.getByRole('button', { name: /Show the review/ }).click()
  await expect(review.getByText('Very loud words.')).toBeVisible()

  await member.goto('/profile/settings?tab=privacy')
  const list = member.getByRole('list', { name: 'Blocked members' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expectGoodOnEachScreen(member)
  await failReloads()
  await list.getByRole('button', { name: /^Unblock/ }).click()
  await expect(member.getByText("You haven't blocked anyone.")).toBeVisible()
})
