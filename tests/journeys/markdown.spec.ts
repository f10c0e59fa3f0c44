import { callApi, waitUntilSignedIn } from './members.ts'
import { expect, expectAccessible, open, test } from './page.ts'

const DESCRIPTION = `# How to use

Put the **elevator** into \`Workspace\`, or see [the guide](https://example.com/guide).

- call buttons
- a 'smart' queue

\`\`\`luau
local elevator = require(script.Elevator)
elevator:start()
\`\`\`

![Doors](https://example.com/doors.png) [bad](javascript:alert(1)) <b>raw</b>

${'It waits for everybody before the doors close. '.repeat(6)}`

test('a description in Markdown is formatted, previewed while writing and safe', async ({ page, signInAs }) => {
  const author = await signInAs('marlow')
  const body = { title: 'Formatted elevator', description: DESCRIPTION, script_content: 'print(1)' }
  const { text } = await callApi(author, 'POST', '/api/scripts', body)
  const { slug } = (JSON.parse(text) as { script: { slug: string } }).script

  await open(page, `/scripts/${slug}`)
  const overview = page.getByRole('region', { name: 'Overview' })
  await expect(overview.getByText(/^How to use\s+Put the elevator/)).toBeVisible()
  await expect(overview.getByText(/Read more/)).toBeVisible()
  await expect(overview.getByRole('heading', { level: 3 })).toHaveCount(0)
  await overview.getByRole('button', { name: 'Read more' }).click()
  await expect(overview.getByRole('heading', { name: 'How to use', level: 3 })).toBeVisible()
  await expect(overview.getByRole('listitem').filter({ hasText: 'call buttons' })).toBeVisible()
  const guide = overview.getByRole('link', { name: 'the guide' })
  await expect(guide).toHaveAttribute('href', 'https://example.com/guide')
  await expect(guide).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc')
  await expect(overview.locator('pre span', { hasText: 'local' })).toHaveClass('text-code-keyword')
  await expect(overview.getByRole('link', { name: 'Doors' })).toBeVisible()
  await expect(overview.locator('img, b')).toHaveCount(0)
  await expect(overview.getByText('[bad](javascript:alert(1)) <b>raw</b>')).toBeVisible()
  await expectAccessible(page)

  await author.goto('/upload')
  await waitUntilSignedIn(author)
  const description = author.getByRole('textbox', { name: 'Description' })
  await description.fill('**Bold** text')
  await author.getByRole('tab', { name: 'Write' }).focus()
  await author.keyboard.press('ArrowRight')
  await expect(author.getByRole('tab', { name: 'Preview' })).toBeFocused()
  await expect(author.getByRole('tabpanel', { name: 'Preview' }).locator('strong')).toHaveText('Bold')
  await author.keyboard.press('ArrowLeft')
  await expect(description).toBeVisible()
})
