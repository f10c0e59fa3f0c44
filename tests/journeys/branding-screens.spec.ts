import {
  expect,
  expectAccessible,
  expectFocusAtOnce,
  expectGoodOnEachScreen,
  delayRequests,
  onEachScreen,
  open,
  PHONE,
  type Page,
  test,
} from './page.ts'
import { expectToast, openPortal } from './portal.ts'

const SVG = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`)
const MARK =
  '<circle cx="16" cy="16" r="15" fill="#0d9488"/><path d="M9 17l5 5 9-11" fill="none" stroke="#fff" stroke-width="3"/>'

const form = (page: Page) => page.getByRole('form', { name: 'Branding' })
const saveButton = (page: Page) => form(page).getByRole('button', { name: 'Save changes' })

async function openBranding(page: Page): Promise<void> {
  await openPortal(page, '/admin/branding')
  await expect(form(page)).toBeVisible()
}

async function save(page: Page): Promise<void> {
  await saveButton(page).click()
  await expectToast(page, 'Branding saved')
  await expect(page.getByText('You have unsaved changes.')).toHaveCount(0)
}

const chooseLogo = (page: Page, buffer: Buffer) =>
  page
    .getByRole('group', { name: 'Logo' })
    .locator('input[type=file]')
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer })

/** The saved branding and the colors of the page are the same for all journeys of a worker. */
test.afterEach(async ({ page }) => {
  if (!page.url().endsWith('/admin/branding')) await openBranding(page)
  const reset = page.getByRole('button', { name: /^(Reset to default|Remove image|Remove link)/ })
  while ((await reset.count()) > 0) await reset.first().click()
  for (const name of ['Rules', 'Terms of Service']) {
    const edit = page.getByRole('button', { name: `Edit: ${name}` })
    if (!(await edit.isVisible())) continue
    await edit.click()
    await page.getByRole('button', { name: `Reset to default: ${name}` }).click()
  }
  if (await saveButton(page).isEnabled()) await save(page)
})

test('an admin changes name, colors, logo and texts without losing unsaved changes, and visitors see them', async ({
  page,
  openVisitor,
}) => {
  await openBranding(page)
  await expectGoodOnEachScreen(page)

  await test.step('a link does not lose unsaved changes, and a field is reset by keyboard', async () => {
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Unsaved')
    await page.getByRole('tab', { name: 'Jobs' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await onEachScreen(page, () => expectAccessible(page))
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(name).toHaveValue('Unsaved')
    await page.getByRole('button', { name: 'Reset to default: name' }).focus()
    await page.keyboard.press('Enter')
    await expect(name).toHaveValue('')
    await expect(page.getByText('You have unsaved changes.')).toHaveCount(0)
  })

  await page.getByRole('textbox', { name: 'Name' }).fill('Brookfield')
  await page.getByRole('textbox', { name: 'Text on the home page' }).fill('Scripts for our servers.')
  await chooseLogo(page, SVG(`${MARK}<script>alert(1)</script>`))
  await saveButton(page).click()
  await expect(page.getByRole('group', { name: 'Logo' })).toContainText('This SVG contains a script.')
  await chooseLogo(page, SVG(MARK))

  await page.getByRole('textbox', { name: 'Dark theme', exact: true }).fill('#0f766e')
  await expect(page.getByText(/Links in this color are hard to read in the dark theme/)).toBeVisible()
  await onEachScreen(page, () => expectAccessible(page))
  await saveButton(page).click()
  await expect(page.getByRole('textbox', { name: 'Dark theme', exact: true })).toBeFocused()
  await page.getByRole('button', { name: /^Use #[0-9a-f]{6} instead/ }).click()
  await expect(page.getByText(/hard to read/)).toHaveCount(0)
  await page.getByRole('textbox', { name: 'Light theme', exact: true }).fill('#115e59')

  await expectFocusAtOnce(page.getByRole('button', { name: 'Add a link' }), 'li input')
  await expect(page.getByRole('textbox', { name: 'Label of link 1' })).toBeFocused()
  await page.keyboard.type('Wiki')
  await page.getByRole('textbox', { name: 'URL of link 1' }).fill('/behavior')
  await page.getByRole('button', { name: 'Write your own: Rules' }).click()
  await expect(page.getByRole('textbox', { name: 'Rules' })).toHaveValue(/^These rules apply .*\n\n# No spam/)
  await page.getByRole('textbox', { name: 'Rules' }).fill('# Be kind\n\nHelp **new** members.')
  await page.getByRole('button', { name: 'Write your own: Terms of Service' }).click()
  await expect(page.getByRole('textbox', { name: 'Terms of Service' })).toHaveValue(/^By using .*\n\n# Age\n\n/)
  await expectGoodOnEachScreen(page)
  await save(page)
  await expect(page.getByRole('banner').getByRole('img')).toHaveCount(0)
  await expect(page.getByRole('banner').locator('img[src^="/branding/icon-"]').first()).toBeVisible()

  const visitor = await openVisitor()
  await open(visitor, '/')
  await expect(visitor).toHaveTitle(/Brookfield/)
  await expect(visitor.getByRole('banner')).toContainText('Brookfield')
  await expect(visitor.getByText('Scripts for our servers.')).toBeVisible()
  await onEachScreen(visitor, () => expectAccessible(visitor))
  const footer = visitor.getByRole('contentinfo')
  await expect(footer.getByRole('link', { name: 'Wiki' })).toHaveAttribute('href', '/behavior')
  await footer.getByRole('link', { name: 'Rules' }).click()
  await expect(visitor.getByRole('heading', { level: 1, name: 'Rules' })).toBeVisible()
  await expect(visitor.getByRole('heading', { level: 3, name: 'Be kind' })).toBeVisible()
  await onEachScreen(visitor, () => expectAccessible(visitor))
  await footer.getByRole('link', { name: 'Terms of Service' }).click()
  await expect(visitor.getByRole('dialog').getByRole('heading', { name: 'Age' })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use(PHONE)

  test('changes of another admin are merged, and nothing is lost', async ({ page, signInAs }) => {
    await openBranding(page)
    await page.getByRole('textbox', { name: 'Name' }).fill('First name')
    const other = await signInAs('marlow', '/admin/branding')
    await other.getByRole('textbox', { name: 'Text on the home page' }).fill('Text of the other.')
    await save(other)
    await page.route('**/api/branding', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    await saveButton(page).click()
    await expect(form(page).getByRole('alert')).toContainText("Couldn't reach the server.")
    await page.unroute('**/api/branding')
    await saveButton(page).click()
    await expect(page.getByText(/Another admin saved changes, which are now in this form, too/)).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('First name')
    await expect(page.getByRole('textbox', { name: 'Text on the home page' })).toHaveValue('Text of the other.')
    await test.step('text typed while saving stays', async () => {
      const answer = await delayRequests(page, '**/api/branding')
      await saveButton(page).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Second name')
      answer()
      await expectToast(page, 'Branding saved')
      await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Second name')
      await page.unroute('**/api/branding')
    })
    await save(page)
  })
})
