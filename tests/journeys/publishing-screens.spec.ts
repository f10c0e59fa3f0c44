import { expect, test, expectAccessible, expectNoOverflow, type Page, onEachDevice } from './page.ts'
import { arriveAsNewcomer, changeScript, publishScript } from './publishing.ts'
import { codeEditor, fillRequired, openUpload, PIXEL, unfoldDetails, upload } from './upload-form.ts'

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihung'

async function expectFit(page: Page): Promise<void> {
  await expectNoOverflow(page)
  await expectAccessible(page)
}

test.beforeEach(async ({ page }) => arriveAsNewcomer(page))

onEachDevice(() => {
  test('the upload form fits and is accessible when empty, invalid, filled in and on Cancel', async ({ page }) => {
    await openUpload(page)
    await expectFit(page)
    await unfoldDetails(page)
    await page.getByRole('radio', { name: 'Game-specific' }).check()
    await page.getByRole('textbox', { name: 'Game ID' }).fill('not a number')
    await page.getByRole('switch', { name: 'Key system' }).check()
    await page.getByRole('textbox', { name: 'Key link' }).fill('nowhere')
    await upload(page)
    await expect(page.getByText('Please fill in all required fields')).toBeVisible()
    await expectFit(page)
    await fillRequired(page, LONG)
    for (let tag = 0; tag < 10; tag++) {
      await page.getByRole('textbox', { name: 'Tags' }).fill(`${tag}${'w'.repeat(29)}`)
      await page.keyboard.press('Enter')
    }
    await page.locator('[data-field=image] input[type=file]').setInputFiles({
      name: 'cover.png',
      mimeType: 'image/png',
      buffer: PIXEL,
    })
    await page.getByRole('button', { name: 'Page', exact: true }).click()
    await expectFit(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expectFit(page)
  })

  test("the author's page, the versions, confirmations, the edit form and conflicts fit and are accessible", async ({
    page,
  }) => {
    const path = await publishScript(page, {
      title: LONG,
      is_public: false,
      script_content: 'print(1)\n',
      version: '1'.repeat(20),
    })
    await changeScript(page, path, {
      script_content: `${'print("a long line of code that goes on")\n'.repeat(5)}return "${'y'.repeat(500)}"\n`,
      changelog: LONG,
    })
    await page.goto(path)
    await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible()
    await expectFit(page)
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expectFit(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^(All \d+ versions|View version)$/ }).click()
    await expect(page.getByRole('region', { name: 'Differences' })).toBeVisible()
    await expectFit(page)
    await page.getByRole('button', { name: /Restore/ }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expectFit(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await expect(page.getByRole('form', { name: 'Edit script' })).toBeVisible()
    await expectFit(page)
    await page.getByRole('button', { name: 'Change the code or version' }).click()
    await expect(codeEditor(page)).toBeAttached()
    await expectFit(page)
    await page.goto(`${path}/new-version`)
    await expect(codeEditor(page)).toBeAttached()
    await expectFit(page)
    await page.goto(`${path}/edit`)
    await page.getByRole('textbox', { name: 'Title' }).fill('Mine')
    await changeScript(page, path, {
      title: `${LONG} II`,
      tags: ['theirs'],
      is_free: false,
      script_content: `print("${'x'.repeat(300)}")\n`,
    })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('This script changed since you opened it')).toBeVisible()
    await expectFit(page)
    await page.getByLabel('Use my version').first().check()
    await page.getByRole('textbox', { name: 'Description' }).fill('')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Failed to save changes.')).toBeVisible()
    await expectFit(page)
  })
})
