import { callApi } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, onEachDevice, type Page, test } from './page.ts'
import { expectToast, unique } from './portal.ts'
import { arriveAsNewcomer } from './publishing.ts'
import { publishHeld } from './waiting.ts'

const idOf = (path: string) => Number(path.split('-').at(-1))

/** Reviews a script as a new member, and reports the review as its author. Returns the reviewer. */
async function reportReview(author: Page, reviewer: Page, scriptId: number): Promise<void> {
  const rating = { rating: 1, review: 'Buy cheap coins.' }
  expect((await callApi(reviewer, 'POST', `/api/script-rating?id=${scriptId}`, rating)).status).toBe(200)
  const { text } = await callApi(author, 'GET', `/api/script-rating?id=${scriptId}`)
  const { ratings } = JSON.parse(text) as { ratings: { id: number }[] }
  const complaint = { subject_type: 'review', subject_id: ratings[0]?.id, reason: 'spam' }
  expect((await callApi(author, 'POST', '/api/reports', complaint)).status).toBe(201)
}

onEachDevice(() => {
  test('a moderator decides by a rule, mutes the author, and the next case opens', async ({ page, signInAs }) => {
    await arriveAsNewcomer(page)
    const title = unique('Coins')
    const path = await publishHeld(page, title)
    const script_id = idOf(path)
    const reviewer = await signInAs('Someone new')
    await reportReview(page, reviewer, script_id)
    expect((await callApi(page, 'POST', '/api/version-confirm', { script_id, number: 2 })).status).toBe(200)

    const moderator = await signInAs('okapi', '/moderation?order=oldest')
    const review = moderator.getByRole('article', { name: `Review: Review of “${title}”` })
    const update = moderator.getByRole('article', { name: `Script: ${title}` })
    await test.step('the evidence is the code around the lines, with the host', async () => {
      await update.scrollIntoViewIfNeeded()
      const found = update.getByRole('list', { name: 'Found' })
      await expect(found.locator('mark')).toHaveText('discord.com')
      await expect(found).toContainText('print(coins)')
      await expect(found).toContainText('Found: ')
      await expect(update.getByRole('region', { name: 'Differences' })).toHaveCount(0)
      await expectNoOverflow(moderator)
      await expectAccessible(moderator)
    })

    await review.getByRole('button', { name: /^Decide/ }).click()
    const dialog = moderator.getByRole('dialog', { name: 'Decide' })
    const reason = dialog.getByRole('textbox', { name: 'Reason' })
    await test.step('the reason is that of the rule, until somebody writes in it', async () => {
      await dialog.getByRole('radio', { name: 'Hide' }).check()
      const rule = dialog.getByLabel('Broken rule')
      await expect(rule).toHaveValue('spam')
      await expect(reason).toHaveValue(/^This is advertising/)
      await rule.selectOption({ label: 'Harassment or hate' })
      await expect(reason).toHaveValue(/^This attacks a person/)
      await dialog.getByRole('radio', { name: 'No violation' }).check()
      await expect(reason).toHaveValue('')
      await expect(rule).toHaveCount(0)
      await dialog.getByRole('radio', { name: 'Hide' }).check()
      await reason.fill('Advertises coins.')
      await rule.selectOption({ label: 'Spam or advertising' })
      await expect(reason).toHaveValue('Advertises coins.')
    })
    await dialog.getByRole('switch', { name: 'Mute author' }).check()
    await dialog.getByLabel('Duration').selectOption({ label: '6 hours' })
    await expectNoOverflow(moderator)
    await expectAccessible(moderator)
    await dialog.getByRole('button', { name: 'Hide' }).click()
    await expectToast(moderator, 'Hidden')

    await expect(review).toHaveCount(0)
    await expect(update).toBeFocused()
    await expect(update).toBeInViewport()
    await expect(moderator.getByRole('status').filter({ hasText: `Next case: ${title}` })).toBeAttached()
    await expect(update.getByRole('region', { name: 'Differences' })).toContainText('Added: ')
    await expectNoOverflow(moderator)
    await expectAccessible(moderator)
    const rejected = await callApi(reviewer, 'POST', `/api/script-comments?id=${script_id}`, { text: 'Buy coins.' })
    expect([rejected.status, rejected.text]).toEqual([403, expect.stringContaining('muted')])

    await update.getByRole('button', { name: /^Decide/ }).click()
    await dialog.getByRole('radio', { name: 'Notify the author' }).check()
    await expect(reason).toHaveValue(/ We found it here: discord\.com, line 4\.$/)
    await dialog.getByRole('button', { name: 'Notify the author' }).click()
    await expect(update).toHaveCount(0)
    await expect(moderator.locator(':focus')).toHaveCount(1)
  })
})
