import { callApi } from './members.ts'
import { expect, expectAccessible, expectFocusAtOnce, expectNoOverflow, test, type Page } from './page.ts'
import { arriveAsNewcomer, publishScript } from './publishing.ts'
import {
  codeEditor,
  expectNewScript,
  fillRequired,
  openUpload,
  typeCode,
  unfoldDetails,
  upload,
  waitForEditor,
} from './upload-form.ts'

const PLAIN = 'local coins = 0\nprint(coins)\n'
const LOGGER = `local Players = game:GetService("Players")
local send = request or http_request

send({ Url = "https://logs.example.com/add", Method = "POST", Body = Players.LocalPlayer.Name })
`
/** Has the shape of a webhook's URL, and belongs to nobody. */
const WEBHOOK = `https://discord.com/api/webhooks/${'1'.repeat(18)}/${'a'.repeat(68)}`
const SECRET = `local send = request\nsend({ Url = "${WEBHOOK}", Method = "POST", Body = "hello" })\n`

const answers = (page: Page) => page.getByRole('group', { name: 'Your script...' })
const answer = (page: Page, name: string) => answers(page).getByRole('checkbox', { name, exact: true })
const warnings = (page: Page) => page.getByRole('list', { name: 'To check before you publish' })

/** How the API compares each finding in the page's script with the declaration. */
async function readFindings(page: Page): Promise<Record<string, string>> {
  const id = page.url().split('-').at(-1) ?? ''
  const findings: Record<string, string> = {}
  await expect(async () => {
    // As its author, because what is not declared waits.
    const { text } = await callApi(page, 'GET', `/api/script-behavior?id=${id}`)
    const { behavior } = JSON.parse(text) as { behavior: { capabilities: { id: string; declared: string }[] } }
    expect(behavior.capabilities.length).toBeGreaterThan(0)
    for (const { id: name, declared } of behavior.capabilities) findings[name] = declared
  }).toPass({ timeout: 30_000 })
  return findings
}

/** Opens an empty form from another page of the site. */
async function openEmptyUpload(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Upload' }).click()
  await waitForEditor(page)
}

test('the answers are filled in from the code and published, or what is not declared is named', async ({ page }) => {
  await arriveAsNewcomer(page)
  await openUpload(page)
  await expect(page.getByText("Add your code, and we'll fill this in.")).toBeVisible()
  await fillRequired(page, 'A logger that is declared')
  await expect(page.getByText('We found nothing in your code that you need to declare.')).toBeVisible()

  await typeCode(page, LOGGER)
  await expect(answer(page, 'Sends data about the player')).toBeChecked()
  await expect(answer(page, 'Sends data')).toBeChecked()
  await expect(answer(page, 'Saves files')).not.toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Servers' })).toHaveValue('logs.example.com')
  await expect(warnings(page)).toHaveCount(0)
  await expectAccessible(page)
  await answers(page).getByRole('button', { name: 'Line 4' }).first().click()
  await expect(codeEditor(page)).toBeFocused()

  await answer(page, 'Saves files').check()
  await expect(answers(page).getByText('Not found in your code')).toBeVisible()
  await answer(page, 'Saves files').uncheck()
  await page.reload()
  await expect(answer(page, 'Sends data about the player')).toBeChecked()

  await upload(page)
  await expectNewScript(page, 'A logger that is declared')
  expect(await readFindings(page)).toMatchObject({ 'net.send': 'declared', 'net.exfiltration': 'declared' })

  await test.step('what is not declared is named with its line, and can be published', async () => {
    await openEmptyUpload(page)
    await fillRequired(page, 'A logger that is not declared')
    await typeCode(page, LOGGER)
    await answer(page, 'Contacts servers').uncheck()
    await answer(page, 'Sends data about the player').uncheck()
    const warning = warnings(page).getByRole('listitem')
    await expect(warning).toHaveText(
      /Line 4 sends data about the player to logs\.example\.com\. Declare it or remove it\./,
    )
    await expectAccessible(page)

    await warning.getByRole('button', { name: 'Declare' }).focus()
    await page.keyboard.press('Enter')
    await expect(answer(page, 'Sends data about the player')).toBeChecked()
    await expect(warnings(page)).toHaveCount(0)
    await answer(page, 'Sends data about the player').uncheck()
    await upload(page)
    await expectNewScript(page, 'A logger that is not declared')
    expect(await readFindings(page)).toMatchObject({ 'net.send': 'declared', 'net.exfiltration': 'undeclared' })
  })
})

test('a secret becomes public only if the author confirms it, also when they are quick', async ({ page }) => {
  await arriveAsNewcomer(page)
  await openUpload(page)
  await test.step('the questions fit on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 780 })
    await page.emulateMedia({ colorScheme: 'light' })
    await typeCode(page, `${LOGGER}${SECRET}`)
    await expect(answer(page, 'Sends messages to a webhook')).toBeChecked()
    await expectNoOverflow(page)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: null })
  })

  await fillRequired(page, 'A greeting with a webhook')
  await typeCode(page, SECRET)
  await upload(page)
  const warning = page.getByRole('region', { name: 'Your code contains a secret' })
  await expect(warning).toContainText('Line 2 contains a Discord webhook with its token.')
  const confirm = warning.getByRole('checkbox', { name: 'Publish it anyway' })
  await expect(confirm).toBeFocused()
  await expect(warning).toContainText('Remove the secret from your code, or confirm that you want to publish it.')
  await expectAccessible(page)
  expect(new URL(page.url()).pathname).toBe('/upload')

  await unfoldDetails(page)
  await page.getByRole('radio', { name: /^Private/ }).check()
  await expect(warning).toHaveCount(0)
  await page.getByRole('radio', { name: /^Public/ }).check()
  await confirm.focus()
  await page.keyboard.press('Space')
  await upload(page)
  await expectNewScript(page, 'A greeting with a webhook')
  expect(await readFindings(page)).toMatchObject({ 'net.webhook': 'declared' })

  await test.step('the warning in the edit dialog opens the code and links to its line', async () => {
    const path = await publishScript(page, { title: 'A private greeting', is_public: false, script_content: SECRET })
    await page.goto(`${path}/edit`)
    await page.getByRole('radio', { name: /^Public/ }).check()
    await warning.getByRole('button', { name: 'Line 2' }).click()
    await expect(codeEditor(page)).toBeFocused()
    await expect(page.locator('[data-shadow] .cm-activeLineGutter')).toHaveText('2')
  })

  await test.step('an author can publish while code cannot be checked', async () => {
    await page.route('**/api/script-check', (route) => route.abort())
    await page.goto('/')
    await openEmptyUpload(page)
    await fillRequired(page, 'A counter without a check')
    await expect(page.getByText("We couldn't read your code this time. You can still publish.")).toBeVisible()
    await upload(page)
    await expectNewScript(page, 'A counter without a check')
  })
})

test('an update that starts to send data is not declared until the author does', async ({ page }) => {
  await arriveAsNewcomer(page)
  const path = await publishScript(page, { title: 'A quiet counter', declared_capabilities: [], script_content: PLAIN })
  await page.goto(`${path}/new-version`)
  await expect(page.getByText('We found nothing in your code that you need to declare.')).toBeVisible()
  await expectFocusAtOnce(page.getByRole('button', { name: 'Declare something' }), 'fieldset input')
  await typeCode(page, LOGGER)
  await expect(warnings(page)).toContainText('Line 4 sends data about the player to logs.example.com')
  await expect(answer(page, 'Sends data about the player')).not.toBeChecked()
  await warnings(page).getByRole('button', { name: 'Declare' }).click()
  await expect(page.getByRole('textbox', { name: 'Servers' })).toHaveValue('logs.example.com')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish version' }).click()
  await expectNewScript(page, 'A quiet counter')
  // Declaring alone does not release an update.
  await expect(page.getByRole('region', { name: 'The version that waits' })).toContainText('send data about the player')
})
