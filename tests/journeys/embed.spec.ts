import { EMBED_SIZE } from '#contract/limits.ts'
import { expect, expectAccessible, expectNoOverflow, findScript, open, test, type Page } from './page.ts'

const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function openDialog(page: Page, script: string) {
  await open(page, script)
  const more = page.getByRole('button', { name: 'More', exact: true })
  await more.focus()
  await page.keyboard.press('Enter')
  const entry = page.getByRole('menuitem', { name: 'Embed or add a badge…' })
  await expect(entry).toBeVisible()
  for (let i = 0; i < 8 && !(await entry.evaluate((element) => element === document.activeElement)); i += 1) {
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Embed' })
  await expect(dialog).toBeVisible()
  return { dialog, more }
}

test('the menu of a script has the code to embed a script, with a preview, and badges, and fits a phone', async ({
  page,
}) => {
  const script = await findScript(page, 'settings menu')
  const { dialog, more } = await openDialog(page, script)
  const preview = dialog.frameLocator('iframe')
  await expect(preview.getByRole('heading', { level: 1 })).toBeVisible()
  await expectAccessible(page)

  const code = dialog.getByLabel('Code of the card')
  await expect(code).toHaveValue(/^<iframe src="[^"]+" title="[^"]+" width="560" height="220" /)
  await dialog.getByRole('combobox', { name: 'Theme' }).selectOption('Light')
  await expect(preview.locator('html.light')).toBeAttached()
  await dialog.getByRole('button', { name: 'Copy' }).first().click()
  await expect(dialog.getByText('Copied!').and(page.locator(':not(.invisible)')).first()).toBeVisible()
  expect(await readClipboard(page)).toBe(await code.inputValue())
  expect(await code.inputValue()).toContain('?theme=light')

  const markdown = dialog.getByLabel('Markdown of the badge: Downloads')
  await markdown.focus()
  expect(await markdown.evaluate((input: HTMLInputElement) => input.selectionEnd === input.value.length)).toBe(true)
  const [, image = '', target = ''] = /^\[!\[Downloads\]\((.+)\)\]\((.+)\)$/.exec(await markdown.inputValue()) ?? []
  expect(new URL(target).pathname).toBe(script)
  const badge = dialog.getByRole('img', { name: 'Downloads' })
  expect(await badge.getAttribute('src')).toBe(new URL(image).pathname)
  expect(await badge.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)

  await page.setViewportSize({ width: 360, height: 780 })
  await expect(preview.getByRole('heading', { level: 1 })).toBeVisible()
  await expectNoOverflow(page)
  await expectAccessible(page)

  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(more).toBeFocused()
})

test('the card fits its frame at every width', async ({ page }) => {
  const response = await page.request.get('/api/scripts?limit=50')
  const { scripts } = (await response.json()) as { scripts: { slug: string }[] }
  const sizes = [
    [320, EMBED_SIZE.narrowHeight],
    [EMBED_SIZE.narrowWidth, EMBED_SIZE.narrowHeight],
    [EMBED_SIZE.narrowWidth + 1, EMBED_SIZE.height],
    [EMBED_SIZE.width, EMBED_SIZE.height],
  ] as const
  for (const { slug } of scripts) {
    await page.goto(`/embed/${slug}`)
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      await expectNoOverflow(page)
      const rest = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
      expect([slug, width, rest]).toEqual([slug, width, 0])
    }
  }
  for (const theme of ['dark', 'light']) {
    await page.goto(`/embed/${scripts[0]?.slug ?? ''}?theme=${theme}`)
    await expectAccessible(page)
  }
})
