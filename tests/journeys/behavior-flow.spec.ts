import type { Locator } from '@playwright/test'
import { callApi } from './members.ts'
import { expect, expectAccessible, test, type Page } from './page.ts'
import { unique } from './portal.ts'
import { arriveAsNewcomer, publishScript, waitForCard } from './publishing.ts'
import { codeEditor, expectNewScript, fillRequired, openUpload, typeCode } from './upload-form.ts'

const LOGGER = `local Players = game:GetService("Players")
local send = request or http_request

send({ Url = "https://logs.example.com/add", Method = "POST", Body = Players.LocalPlayer.Name })
`
const MAX_STEPS = 80

/** Moves the focus to an element with the Tab key. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(target).toBeFocused()
}

test('an author corrects the declaration and publishes with the keyboard only', async ({ page }) => {
  await arriveAsNewcomer(page)
  await openUpload(page)
  const title = unique('Typed logger')
  await fillRequired(page, title)
  await typeCode(page, LOGGER)
  const answers = page.getByRole('group', { name: 'Your script...' })
  const sends = answers.getByRole('checkbox', { name: 'Sends data about the player', exact: true })
  await expect(sends).toBeChecked()
  await codeEditor(page).focus()
  // Tab indents in the editor; Escape lets it leave.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await tabTo(page, sends)
  await page.keyboard.press('Space')
  await expect(sends).not.toBeChecked()
  const warning = page.getByRole('list', { name: 'To check before you publish' }).getByRole('listitem')
  await expect(warning).toContainText('Line 4 sends data about the player to logs.example.com.')
  await tabTo(page, warning.getByRole('button', { name: 'Declare' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(sends).toBeChecked()
  await expectAccessible(page)
  await tabTo(page, page.getByRole('button', { name: 'Upload Script' }))
  await page.keyboard.press('Enter')
  await expectNewScript(page, title)
})

test('the page of a script that does not compile names the line', async ({ page }) => {
  await arriveAsNewcomer(page)
  const lines = ['local coins = 0', '', 'local function add(n)', '  coins += n', 'end', '', 'add(1, )']
  const path = await publishScript(page, { script_content: `${lines.join('\n')}\n` })
  const card = page.getByRole('region', { name: 'Code check' })
  await waitForCard(page, path)
  await page.goto(path)
  await expect(card).toContainText("Doesn't compile (line 7)")
  await expectAccessible(page)
})

test('a moderator sees the case of a first version that its author confirmed and that hides what it sends', async ({
  page,
  signInAs,
}) => {
  await arriveAsNewcomer(page)
  const title = unique('Silent logger')
  const path = await publishScript(page, { title, script_content: LOGGER })
  const script_id = Number(path.split('-').at(-1))
  await expect(async () => {
    expect((await callApi(page, 'POST', '/api/version-confirm', { script_id, number: 1 })).status).toBe(200)
  }).toPass({ timeout: 60_000 })
  const moderator = await signInAs('okapi', '/moderation')
  const reportCase = moderator.getByRole('article').filter({ hasText: title })
  await expect(reportCase).toContainText('Opened automatically')
  const findings = reportCase.getByRole('list', { name: 'Found' })
  await expect(findings).toContainText('Sends data about the player, line 4')
  await expect(findings).toContainText('Players.LocalPlayer.Name')
  await expectAccessible(moderator)
})
