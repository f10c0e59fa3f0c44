import type { CommentPage } from '#contract/comments.ts'
import { callApi, loginButton, openAs } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, forward, open, test } from './page.ts'

const commentOf = (text: string) => ({ hasText: text })

test('members ask, answer, edit and delete under a script, and visitors read', async ({ page, signInAs }) => {
  const author = await signInAs('marlow')
  const body = { title: 'Talked about', description: 'A script.', script_content: 'print(1)' }
  const { text } = await callApi(author, 'POST', '/api/scripts', body)
  const { slug, id } = (JSON.parse(text) as { script: { slug: string; id: number } }).script

  const guest = await signInAs('lin', `/scripts/${slug}`)
  const section = guest.getByRole('region', { name: /^Comments and questions/ })
  await expect(section.getByText('No comments yet.')).toBeVisible()
  await section.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(section.getByText('Write something first.')).toBeVisible()
  await section.getByRole('textbox', { name: 'Write a comment' }).fill('Does it work with @marlow’s doors?')
  await section.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(guest.getByText('Comment published')).toBeVisible()
  const question = section.getByRole('article').filter(commentOf('Does it work'))
  await expect(question.getByRole('link', { name: '@marlow' })).toHaveAttribute('href', '/profile/marlow')

  await section
    .getByRole('textbox', { name: 'Write a comment' })
    .fill('I call `open()` *once*:\n\n```lua\nopen() -- @marlow\n```\nSee https://example.com/doors.')
  await section.getByRole('button', { name: 'Comment', exact: true }).click()
  const example = section.getByRole('article').filter(commentOf('I call'))
  await expect(example.locator('p code')).toHaveText('open()')
  await expect(example.getByText('*once*')).toBeVisible()
  await expect(example.locator('pre')).toHaveText('open() -- @marlow')
  await expect(example.getByRole('link', { name: '@marlow' })).toHaveCount(0)
  await expect(example.getByRole('link', { name: 'example.com' })).toHaveAttribute('rel', /nofollow ugc/)
  await example.getByRole('button', { name: /^More about/ }).click()
  await guest.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(section.getByRole('textbox', { name: 'Edit your comment' })).toHaveValue(/^I call `open\(\)`[^]*```lua/)
  await section.getByRole('button', { name: 'Cancel' }).click()
  await example.getByRole('button', { name: /^More about/ }).click()
  await guest.getByRole('menuitem', { name: 'Delete' }).click()
  await guest.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(example).toHaveCount(0)

  await author.goto(`/scripts/${slug}`)
  const ownSection = author.getByRole('region', { name: /^Comments and questions/ })
  const heading = ownSection.getByRole('heading', { level: 2 })
  await expect(heading).toHaveText('Comments and questions1')
  await ownSection.getByRole('button', { name: /^Reply to/ }).click()
  await expect(ownSection.getByRole('textbox', { name: /^Reply to/ })).toBeFocused()
  await author.keyboard.type('It does.')
  await ownSection.getByRole('button', { name: 'Reply', exact: true }).last().click()
  const answer = ownSection.getByRole('article').filter(commentOf('It does.'))
  await expect(answer.getByText('Author', { exact: true })).toBeVisible()
  await expect(heading).toHaveText('Comments and questions2')
  await ownSection
    .getByRole('button', { name: /^Helpful.*comment by/ })
    .first()
    .click()
  await expect(ownSection.getByRole('button', { name: /^Helpful.*comment by/, pressed: true })).toContainText('1')
  await ownSection.getByLabel('Slow mode').selectOption('5 minutes')
  await expect(ownSection.getByText('Slow mode is on: one comment every 5 minutes.')).toBeVisible()
  await expectAccessible(author)
  await answer.getByRole('button', { name: /^More about/ }).click()
  await author.getByRole('menuitem', { name: 'Edit' }).click()
  await ownSection.getByRole('textbox', { name: 'Edit your comment' }).fill('It does, with any door.')
  await ownSection.getByRole('button', { name: 'Save' }).click()
  await expect(ownSection.getByText('It does, with any door.')).toBeVisible()
  await expect(heading).toHaveText('Comments and questions2')

  await section.getByRole('textbox', { name: 'Write a comment' }).fill('And windows?')
  await section.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(guest.getByText(/You can comment again in \d+ seconds/)).toBeVisible()

  const html = await (await page.request.get(`/scripts/${slug}`)).text()
  expect(html).toContain('It does, with any door.')
  await open(page, `/scripts/${slug}`)
  const shown = page.getByRole('region', { name: /^Comments and questions/ })
  await expect(shown.getByText('1 person found this helpful')).toBeVisible()
  await expect(shown.getByRole('button', { name: 'Sign in to comment' })).toBeEnabled()
  await page.setViewportSize({ width: 360, height: 780 })
  await expectNoOverflow(page)
  await expectAccessible(page)

  await test.step('a count that the server stopped at its maximum stays after a deletion', async () => {
    await guest.route('**/api/script-comments?*', async (route) => {
      const response = await forward(route)
      await route.fulfill({ response, json: { ...((await response.json()) as CommentPage), count: 100 } })
    })
    await guest.reload()
    await expect(section.getByRole('heading', { level: 2 })).toHaveText('Comments and questions99+')
  })
  await question.getByRole('button', { name: /^More about/ }).click()
  await guest.getByRole('menuitem', { name: 'Delete' }).click()
  await guest.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(section.getByText('This comment was deleted.')).toBeVisible()
  await expect(section.getByRole('heading', { level: 2 })).toHaveText('Comments and questions99+')
  await expect(section.getByText('It does, with any door.')).toBeVisible()
  expect(id).toBeGreaterThan(0)
})

test('a link to a comment that is not on the first page shows its thread', async ({ page }) => {
  await openAs(page, 'marlow')
  const body = { title: 'Much talked about', description: 'A script.', script_content: 'print(1)' }
  const { text } = await callApi(page, 'POST', '/api/scripts', body)
  const { slug, id } = (JSON.parse(text) as { script: { slug: string; id: number } }).script
  const ids: number[] = []
  // A member can write ten comments in a minute, so three write them.
  for (const person of ['marlow', 'okapi', 'lin'] as const) {
    await openAs(page, person)
    for (let i = 0; i < 8; i += 1) {
      const path = `/api/script-comments?id=${id}`
      const posted = await callApi(page, 'POST', path, { text: `Comment ${ids.length}` })
      ids.push((JSON.parse(posted.text) as { comment: { id: number } }).comment.id)
    }
  }
  await page.evaluate(() => localStorage.clear())
  await open(page, `/scripts/${slug}#comment-${ids[0]}`)
  await expect(loginButton(page)).toBeEnabled()
  const linked = page.getByRole('region', { name: 'Linked comment' })
  await expect(linked.getByText('Comment 0')).toBeInViewport()
  await page.getByRole('button', { name: 'Show older comments' }).click()
  await expect(page.getByRole('article').filter(commentOf('Comment 1'))).not.toHaveCount(0)
  await expect(page.getByText('Comment 0')).toHaveCount(1)
  await open(page, `/scripts/${slug}#comment-999999`)
  await expect(page.getByText("The linked comment was removed, or isn't public yet.")).toBeVisible()
})
