import { expect, expectNoMessageOver, expectUncovered, test, PHONE } from './page.ts'
import { arriveAsNewcomer } from './publishing.ts'
import { expectNewScript, fillRequired, openUpload, PIXEL, unfoldDetails, upload } from './upload-form.ts'

test.use(PHONE)

test('a script is published, edited and deleted on a phone', async ({ page }) => {
  await arriveAsNewcomer(page)
  await openUpload(page)
  await unfoldDetails(page)
  await test.step('all touch targets are large enough', async () => {
    await page.getByRole('textbox', { name: 'Tags' }).fill('touched')
    await page.keyboard.press('Enter')
    const small = await page.locator('main :is(button, a, select, input:not([type=file]))').evaluateAll((elements) =>
      elements
        .filter((element) => element.getClientRects().length > 0 && !element.closest('[inert]'))
        // Links in a sentence are exempt (WCAG 2.2, 2.5.8).
        .filter((element) => getComputedStyle(element).display !== 'inline' || element.tagName !== 'A')
        .map((element) => {
          // Labels and pseudo-elements extend the touch target.
          const area = element.closest('label') ?? element
          const inset = Number.parseFloat(getComputedStyle(area, '::before').inset) || 0
          const { width, height } = area.getBoundingClientRect()
          return { what: element.outerHTML.slice(0, 120), side: Math.min(width, height) - 2 * inset }
        })
        .filter(({ side }) => side < 44),
    )
    expect(small).toEqual([])
  })
  await fillRequired(page, 'Made on the way')
  await page.locator('[data-field=image] input[type=file]').setInputFiles({
    name: 'cover.png',
    mimeType: 'image/png',
    buffer: PIXEL,
  })
  await page.getByRole('list', { name: 'Popular tags' }).getByRole('button').first().click()
  const messages = page.getByRole('region', { name: 'Messages' })
  const isAtBottom = () => messages.evaluate((element) => element.getBoundingClientRect().y > innerHeight / 2)
  const requested = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route('**/api/script-details-slug?*', async (route) => {
    requested.resolve()
    await released.promise
    await route.continue()
  })
  await upload(page)
  await requested.promise
  expect(await messages.textContent(), 'the message appears with the new page').toBe('')
  released.resolve()
  await expect(messages.getByText('Script published')).toBeVisible()
  expect(await isAtBottom()).toBe(true)
  await expectNewScript(page, 'Made on the way')

  const edit = page.getByRole('link', { name: 'Edit', exact: true })
  await expectUncovered(edit)
  await edit.click()
  const form = page.getByRole('form', { name: 'Edit script' })
  const save = form.getByRole('button', { name: 'Save changes' })
  const aboveButtons = await save.evaluate((button) => {
    const bar = button.closest('[data-form-bar]')
    return bar && button.getBoundingClientRect().top - bar.getBoundingClientRect().top
  })
  // Border and padding.
  expect(aboveButtons, 'a status without text takes no space').toBe(1 + 16)
  await form.getByRole('textbox', { name: 'Title' }).fill('Made on the train')
  await save.focus()
  expect(await isAtBottom(), 'the bar of the form is there').toBe(false)
  await save.click()
  await expect(form.getByText('Changes saved.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Made on the train')
  await expect(form).toHaveCount(0)

  await expectUncovered(page.getByRole('button', { name: 'Delete' }))
  await page.getByRole('textbox', { name: 'Write a comment' }).focus()
  expect(await isAtBottom(), 'the keyboard is there').toBe(false)
  await page.keyboard.press('Tab')
  await expectNoMessageOver(page.locator(':focus'))
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete script' }).click()
  await expect(page).toHaveURL(/\/scripts$/)
})
