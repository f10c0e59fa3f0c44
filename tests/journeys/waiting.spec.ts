import { callApi, choosePerson, openAs, waitUntilSignedIn } from './members.ts'
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  measureLayoutShift,
  onEachDevice,
  test,
  type Page,
} from './page.ts'
import { openPortal, unique } from './portal.ts'
import { arriveAsNewcomer, changeScript, publishScript } from './publishing.ts'
import { fillRequired, openUpload, typeCode, upload } from './upload-form.ts'
import { DELETES, publishHeld, waitForCheck } from './waiting.ts'

const panelOf = (page: Page) => page.getByRole('region', { name: 'The version that waits' })

onEachDevice(() => {
  test('an author reads why an update waits, confirms it and discards it', async ({ page }) => {
    await arriveAsNewcomer(page)
    const path = await publishHeld(page, unique('Coins'))
    await page.goto(path)
    await waitUntilSignedIn(page)
    const panel = panelOf(page)
    await expect(panel).toContainText('1.0.5 waits: it would start to send messages to a Discord webhook, line 4')
    await expect(panel.getByRole('list', { name: 'Why it waits' })).toContainText('http:PostAsync(')
    await panel.getByRole('button', { name: 'Compare with the current code' }).click()
    await expect(panel.getByRole('region', { name: 'Differences' })).toContainText('Added: ')
    await expectNoOverflow(page)
    await expectAccessible(page)

    await panel.getByRole('button', { name: 'Confirm' }).press('Enter')
    await expect(panel).toContainText(/1\.0\.5 waits until \w+ \d+, \d{4}/)
    await expect(panel).toContainText('You confirmed it.')
    await expect(panel.getByRole('button', { name: 'Confirm' })).toHaveCount(0)
    const cases = page.getByRole('region', { name: 'Waiting for moderators' })
    await expect(cases).toContainText(/Place [\d,]+ of [\d,]+ in the queue/)
    await expectNoOverflow(page)
    await expectAccessible(page)

    await panel.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await expect(panel).toHaveCount(0)
    await page.getByRole('button', { name: /^(All \d+ versions|View version)$/ }).click()
    const rows = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await expect(rows.nth(0)).toContainText('Discarded by its author.')
    await expect(rows.nth(1)).toContainText(/Current.*Published in the browser/s)
    await page.goto('/')
    await page.goto(`${path}#waiting`)
    await expect(page.getByText('No version waits any more.')).toBeInViewport()
    await expectAccessible(page)
  })

  test('an author follows a notification and says that it was somebody else', async ({ page }) => {
    await arriveAsNewcomer(page)
    await publishHeld(page, unique('Coins'))
    await page.goto('/')
    await waitUntilSignedIn(page)
    await page.getByRole('button', { name: /Notifications/ }).click()
    await page.getByRole('link', { name: "This wasn't me" }).click()
    const dialog = page.getByRole('alertdialog', { name: "This wasn't you?" })
    await expect(dialog).toContainText('All your other sessions end at once.')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Discard and secure my account' }).click()
    await expect(page.getByText('The token that published it and all your other sessions have ended.')).toBeVisible()
    await expect(panelOf(page)).toHaveCount(0)
  })

  test('a first version is public once its findings are declared', async ({ page, openVisitor }) => {
    await arriveAsNewcomer(page)
    const path = await publishScript(page, { title: unique('Cleaner'), script_content: DELETES })
    await waitForCheck(page, path)
    const visitor = await openVisitor()
    expect((await visitor.request.get(path)).status()).toBe(404)
    await page.goto(path)
    await waitUntilSignedIn(page)
    const panel = panelOf(page)
    await expect(panel).toContainText('Not public yet. 1.0.0 waits: it would delete files, line 1.')
    await expectNoOverflow(page)
    await expectAccessible(page)
    await panel.getByRole('button', { name: 'Declare these and publish' }).click()
    await expect(page.getByText('Your script is public')).toBeVisible()
    await expect(panel).toHaveCount(0)
    expect((await visitor.request.get(path)).status()).toBe(200)
  })

  test('a visitor reads one line, which does not move the page', async ({ page, openVisitor }) => {
    await arriveAsNewcomer(page)
    const path = await publishHeld(page, unique('Coins'))
    const visitor = await openVisitor()
    await visitor.goto(path)
    const notice = panelOf(visitor)
    await expect(notice).toContainText(
      '1.0.5 waits: it would start to send messages to a Discord webhook, line 4, and 1 more.',
    )
    await expect(notice.getByRole('button')).toHaveCount(0)
    expect(await measureLayoutShift(visitor)).toBe(0)
    await expectNoOverflow(visitor)
    await expectAccessible(visitor)
    expect(await (await visitor.request.get(path.replace('/scripts/', '/raw/'))).text()).not.toContain('discord.com')
  })

  test('a moderator compares a held version and releases it', async ({ page, signInAs }) => {
    await arriveAsNewcomer(page)
    const title = unique('Coins')
    const path = await publishHeld(page, title)
    const moderator = await signInAs('okapi', '/moderation/held')
    const item = moderator.getByRole('article', { name: `${title} 1.0.5` })
    await expect(item).toContainText('Not confirmed')
    await item.getByRole('button', { name: /^Show code/ }).click()
    await expect(item.getByRole('region', { name: 'Differences' })).toContainText('Added: ')
    await expectNoOverflow(moderator)
    await expectAccessible(moderator)
    await item.getByRole('button', { name: /^Release/ }).click()
    const dialog = moderator.getByRole('dialog', { name: 'Release this version?' })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Known webhook of the author.')
    await expectAccessible(moderator)
    await dialog.getByRole('button', { name: 'Release' }).click()
    await expect(item).toHaveCount(0)
    expect(await (await page.request.get(path.replace('/scripts/', '/raw/'))).text()).toContain('discord.com')
  })
})

test('an author withdraws a version, and everyone reads why', async ({ page, openVisitor }) => {
  await arriveAsNewcomer(page)
  const path = await publishScript(page, { title: unique('Coins') })
  await waitForCheck(page, path)
  await changeScript(page, path, { script_content: 'print("two")\n', version: '1.1.0' })
  await waitForCheck(page, path)
  await page.goto(path)
  await page.getByRole('button', { name: /^(All \d+ versions|View version)$/ }).click()
  const rows = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
  await rows
    .nth(0)
    .getByRole('button', { name: /Withdraw/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Withdraw this version?' })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('It printed the wrong number.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await expect(rows.nth(0)).toContainText(/Withdrawn.*By its author, .*: It printed the wrong number\./s)
  await expect(rows.nth(1)).toContainText('Current')
  const visitor = await openVisitor()
  await visitor.goto(path)
  await visitor.getByRole('button', { name: /^(All \d+ versions|View version)$/ }).click()
  await expect(visitor.getByRole('list', { name: 'Versions' })).toContainText('It printed the wrong number.')
  await expect(visitor.getByRole('button', { name: /Withdraw/ })).toHaveCount(0)
})

test('confirming needs a recent sign-in, and continues after it', async ({ page, site }) => {
  await openAs(page, 'lin')
  const path = await publishHeld(page, unique('Coins'))
  await site.ageSignIns()
  await page.goto(path)
  await waitUntilSignedIn(page)
  await panelOf(page).getByRole('button', { name: 'Confirm' }).click()
  const dialog = page.getByRole('alertdialog', { name: "Confirm it's you" })
  await expect(dialog).toContainText('To confirm version 1.0.5, sign in with Discord again.')
  await dialog.getByRole('button', { name: 'Continue with Discord' }).click()
  await choosePerson(page, 'lin')
  await waitUntilSignedIn(page)
  await expect(panelOf(page)).toContainText('You confirmed it.')
})

test('the upload form offers to declare what would keep a script from being public', async ({ page }) => {
  await arriveAsNewcomer(page)
  await openUpload(page)
  await fillRequired(page, unique('Cleaner'))
  await typeCode(page, DELETES)
  const notice = page.getByRole('region', { name: 'Declare this, or your script waits' })
  await expect(notice).toContainText('It would delete files, line 1')
  await expectAccessible(page)
  await notice.getByRole('button', { name: 'Declare it' }).click()
  await expect(notice).toHaveCount(0)
  await upload(page)
  await expect(page.getByText('Script published')).toBeVisible()
})

test('an author who publishes without declaring lands on a page that says why it is not public', async ({ page }) => {
  await arriveAsNewcomer(page)
  await openUpload(page)
  await fillRequired(page, unique('Cleaner'))
  await typeCode(page, DELETES)
  await expect(page.getByRole('region', { name: 'Declare this, or your script waits' })).toBeVisible()
  await upload(page)
  await expect(page.getByText('Saved, but not public yet')).toBeVisible()
  await expect(panelOf(page)).toContainText('Not public yet.')
})

test('the edit form says what waits and what an edit does to it', async ({ page }) => {
  await arriveAsNewcomer(page)
  const path = await publishHeld(page, unique('Coins'))
  await page.goto(`${path}/new-version`)
  await waitUntilSignedIn(page)
  const panel = panelOf(page)
  await expect(panel).toContainText('Saving other code replaces the version that waits.')
  await expect(panel.getByRole('button', { name: 'Confirm' })).toBeVisible()
  await typeCode(page, DELETES)
  await expect(page.getByRole('region', { name: 'This version will wait' })).toContainText('It would delete files')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish version' }).click()
  await expect(page.getByText(/^Version 1\.0\.\d (waits for you|is being checked)$/)).toBeVisible()
})

test('an admin changes how long versions wait, for the next confirmation', async ({ page, signInAs }) => {
  await openPortal(page, '/admin/held')
  const form = page.getByRole('form', { name: 'Waiting time' })
  await form.getByRole('textbox', { name: 'Hours' }).fill('200')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toContainText('Enter a whole number from 0 to 168.')
  await form.getByRole('textbox', { name: 'Hours' }).fill('0')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Versions wait 0 hours now')).toBeVisible()
  await expectAccessible(page)

  const author = await signInAs('Someone new', '/')
  const path = await publishHeld(author, unique('Coins'))
  await author.goto(path)
  await panelOf(author).getByRole('button', { name: 'Confirm' }).click()
  await expect(author.getByText('Confirmed. It is current now.')).toBeVisible()
  await expect(panelOf(author)).toHaveCount(0)
  await callApi(page, 'PUT', '/api/hold-settings', { hold_hours: null })
})
