import { MailServer } from '#tests/support/email.ts'
import { openAs } from './members.ts'
import { expect, expectAccessible, expectNoOverflow, forward, test as base } from './page.ts'
import { readTemplate, startClonedSite } from './site.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 360, height: 740 },
]

/** A site that sends email to a server of the test. */
const test = base.extend<object, { mailServer: MailServer }>({
  mailServer: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const server = new MailServer()
      await server.start()
      await provide(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  site: [
    async ({ browserName, mailServer }, provide, { workerIndex }) => {
      const settings = { SMTP_URL: mailServer.url, SMTP_FROM: 'mail@scripts.example' }
      const site = await startClonedSite(readTemplate(), `${browserName}_email_${workerIndex}`, settings)
      await provide(site)
      await site.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

// In one worker, because a worker of this file needs a browser and a site of its own.
test.describe.configure({ mode: 'default' })

const SETTINGS = '/profile/settings?tab=notifications'

test('a member adds and confirms an address, chooses and removes it with the keyboard', async ({
  page,
  openVisitor,
  mailServer,
}) => {
  await openAs(page, 'lin', SETTINGS)
  const section = page.getByRole('region', { name: 'Email' })
  const field = section.getByRole('textbox', { name: 'Email address' })
  await expect(section.getByRole('button', { name: 'Send link' })).toBeDisabled()
  await field.focus()
  await page.keyboard.type('lin@example')
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription(/Enter an email address, such as name@example\.com\./)
  await expect(field).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('.com')
  await page.keyboard.press('Enter')
  await expect(section.getByText('We sent a link to lin@example.com.')).toBeVisible()
  await expect(section.getByRole('combobox', { name: 'Digest' })).toHaveValue('weekly')
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await expectAccessible(page)
    await expectNoOverflow(page)
  }

  await expect.poll(() => mailServer.received.length).toBe(1)
  const [confirmation] = mailServer.received
  const html = await openVisitor()
  // Mail clients show the HTML inside their own page.
  await html.setContent((confirmation?.mail.html || '').replace('<div', '<div role="main"'))
  await expectAccessible(html)
  await expectNoOverflow(html)
  const link = await html.getByRole('link', { name: 'Confirm this address' }).getAttribute('href')
  // In another browser, as on a phone.
  await html.goto(link ?? '')
  await expect(html.getByText('Send email for the account lin to lin@example.com?')).toBeVisible()
  await expectAccessible(html)
  await html.keyboard.press('Tab')
  await html.keyboard.press('Enter')
  await expect(html.getByRole('heading', { name: 'Your address is confirmed' })).toBeVisible()
  await expectAccessible(html)

  await page.reload()
  await expect(section.getByText('Sent to lin@example.com')).toBeVisible()
  await expect(section.getByText('Confirmed')).toBeVisible()
  const decisions = section.getByRole('switch', { name: 'Moderation decisions' })
  await test.step('a late answer to one choice does not undo the next', async () => {
    const answered = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await page.route(
      '**/api/email-settings',
      async (route) => {
        const response = await forward(route)
        answered.resolve()
        await released.promise
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    const nextAnswer = () => page.waitForResponse('**/api/email-settings')
    await section.getByRole('combobox', { name: 'Digest' }).selectOption('Daily')
    await answered.promise
    const second = nextAnswer()
    await decisions.press('Space')
    await second
    const first = nextAnswer()
    released.resolve()
    await (await first).finished()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    await expect(decisions).not.toBeChecked()
  })
  await page.reload()
  await expect(section.getByRole('combobox', { name: 'Digest' })).toHaveValue('daily')
  await expect(decisions).not.toBeChecked()
  await expect(section.getByRole('switch', { name: 'Sign-ins from new devices' })).toBeChecked()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    await expectAccessible(page)
    await expectNoOverflow(page)
  }

  await section.getByRole('button', { name: 'Remove address' }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Remove your email address?' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Remove address' }).press('Enter')
  await expect(section.getByRole('textbox', { name: 'Email address' })).toBeVisible()
  await expect(section.getByText('lin@example.com')).toHaveCount(0)
})

test('settings that fail to load can be retried, and a change that is not saved is undone', async ({ page }) => {
  await page.route('**/api/email-settings', (route) => route.abort())
  await openAs(page, 'ada_builds', SETTINGS)
  const section = page.getByRole('region', { name: 'Email' })
  await expect(section.getByText("Couldn't load your email settings.")).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/email-settings')
  await section.getByRole('button', { name: 'Try again' }).click()
  await section.getByRole('textbox', { name: 'Email address' }).fill('ada@example.com')
  await section.getByRole('button', { name: 'Send link' }).click()
  const choice = section.getByRole('switch', { name: 'Sign-ins from new devices' })
  await expect(choice).toBeChecked()
  await page.route('**/api/email-settings', (route) => route.abort())
  await choice.click()
  await expect(page.getByText('Failed to save email settings')).toBeVisible()
  await expect(choice).toBeChecked()
  await section.getByRole('textbox', { name: 'New email address' }).fill('ada2@example.com')
  await section.getByRole('button', { name: 'Send link' }).click()
  await expect(section.getByText('We just sent you a link.')).toBeVisible()
})
