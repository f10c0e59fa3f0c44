import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase } from '#server/platform/db/database.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { openSession } from '#server/features/accounts/sessions.ts'
import { openSetup } from '#server/operations/setup/setup.ts'
import { startS3, type TestS3 } from '#tests/support/s3.ts'
import {
  expect,
  expectAccessible,
  expectFocusAtOnce,
  expectGoodOnEachScreen,
  expectNoOverflow,
  onEachScreen,
  PHONE,
  type Page,
  test,
} from './page.ts'
import { readTemplate, runStatement, startServer } from './site.ts'

const CLIENT_ID = '123456789012345678'
const SECRET = 'Right-secret_of-the-application1'

interface NewSite {
  origin: string
  /** The link as the start prints it. */
  link: string
  /** Signs in a new member, without the browser. Returns the session token. */
  signIn: () => Promise<string>
  close: () => Promise<void>
}

let serial = 0

/** A site in production without data, whose Discord knows one application. */
async function startNewSite(discord: Server, s3: TestS3): Promise<NewSite> {
  const template = readTemplate()
  const name = `setup_${process.pid}_${++serial}`
  await runStatement(template.connection, `create database ${name}`)
  await new Promise<void>((resolve) => discord.listen(0, '127.0.0.1', resolve))
  const { port } = discord.address() as AddressInfo
  const server = await startServer(template, name, {
    APP_ENV: 'production',
    DEMO_DATA: 'off',
    DISCORD_API_URL: `http://127.0.0.1:${port}`,
    ...s3.environment,
  })
  const pool = openPool({ ...template.connection, database: name }, 1)
  const db = openDatabase(pool)
  const token = await openSetup(db, { adminDiscordIds: [] })
  return {
    origin: server.origin,
    link: `${server.origin}/setup#${token}`,
    signIn: async () => {
      const owner = { discord_id: '777777777777777777', username: 'owner', slug: 'owner' }
      const { id } = await db.insertInto('members').values(owner).returning('id').executeTakeFirstOrThrow()
      return openSession(db, id)
    },
    close: async () => {
      await pool.end()
      await server.close()
      discord.close()
      await runStatement(template.connection, `drop database ${name} with (force)`)
      rmSync(path.join(template.folder, name), { recursive: true, force: true })
    },
  }
}

let s3: TestS3
let site: NewSite
let folder: string
test.beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'setup-backups-'))
  // The site may run as another user.
  chmodSync(folder, 0o777)
  const expected = `Basic ${Buffer.from(`${CLIENT_ID}:${SECRET}`).toString('base64')}`
  s3 = await startS3()
  site = await startNewSite(
    createServer(({ headers }, response) =>
      response.writeHead(headers.authorization === expected ? 200 : 401).end('{}'),
    ),
    s3,
  )
})
test.afterEach(async ({ page }) => {
  await page.goto('about:blank')
  await site.close()
  await s3.close()
  rmSync(folder, { recursive: true, force: true })
})

const step = (page: Page, name: string) => page.getByRole('form', { name })

test('the owner sets up a site by keyboard, resumes it, and becomes its admin without a restart', async ({ page }) => {
  await page.goto(`${site.origin}/setup`)
  await expect(page.getByRole('heading', { name: 'Open the setup link' })).toBeVisible()
  await onEachScreen(page, () => expectAccessible(page))

  await page.goto('about:blank')
  await page.goto(site.link)
  await expect(page.getByRole('heading', { level: 1, name: 'Set up your site' })).toBeVisible()
  await expect(page).toHaveURL(`${site.origin}/setup`)
  await expectGoodOnEachScreen(page)
  await page.getByRole('textbox', { name: 'Name of the site' }).fill('Brookfield')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Discord' })).toBeFocused()
  await expect(page.getByRole('banner')).toContainText('Brookfield')

  await page.getByRole('textbox', { name: 'Client ID' }).fill('Brookfield')
  await page.getByLabel('Client secret').fill(`${SECRET}2`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Client ID' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Client ID' }).fill(CLIENT_ID)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Discord does not accept this client ID with this secret.')).toBeVisible()
  await expectGoodOnEachScreen(page)
  await page.getByLabel('Client secret').fill(SECRET)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Backups' })).toBeFocused()

  // A visit to another page, and back.
  await page.reload()
  await expect(page.getByRole('heading', { name: /^Discord \(done\)/ })).toBeVisible()
  const target = page.getByRole('textbox', { name: 'Folder or bucket for backups' })
  await target.fill('backups')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Enter an absolute path, such as /backups.')).toBeVisible()
  await target.fill('s3://elsewhere/site')
  await page.keyboard.press('Enter')
  await expect(page.getByText('There is no such bucket. Create it, or correct its name.')).toBeVisible()
  await onEachScreen(page, () => expectNoOverflow(page))
  await target.fill('s3://images/site')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'First admin' })).toBeFocused()
  await expectFocusAtOnce(page.getByRole('button', { name: 'Change: Backups' }), '[data-step=backup] h2')
  await expect(page.getByRole('heading', { name: 'Backups (done)' })).toBeFocused()
  await target.fill(folder)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'First admin' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Login with Discord' }).last()).toBeVisible()
  await onEachScreen(page, () => expectAccessible(page))

  const token = await site.signIn()
  await page.evaluate((value) => localStorage.setItem('auth_token', value), token)
  await page.reload()
  await expect(page.getByText('You are signed in as owner.')).toBeVisible()
  await page.getByRole('button', { name: 'Become the admin and finish' }).click()
  await expect(page.getByRole('heading', { name: 'Your site is ready' })).toBeVisible()
  await onEachScreen(page, () => expectAccessible(page))
  await page.getByRole('link', { name: 'Choose logo and colors' }).click()
  await expect(page.getByRole('form', { name: 'Branding' })).toBeVisible()
  await expect.poll(async () => (await page.request.get(`${site.origin}/setup`)).status()).toBe(404)
  await page.evaluate(() => localStorage.clear())
})

test.describe('on a phone', () => {
  test.use(PHONE)

  test('the owner names the admin by a Discord ID, and the page is gone', async ({ page }) => {
    await page.goto(site.link)
    await page.getByRole('button', { name: 'Open: First admin' }).click()
    await page.getByRole('button', { name: 'Enter a Discord ID instead' }).click()
    const field = page.getByRole('textbox', { name: 'Discord ID of the admin' })
    await field.fill('marlow')
    await step(page, 'First admin').getByRole('button', { name: 'Finish' }).click()
    await expect(page.getByText('A Discord ID is a number of 17 to 20 digits, not a name.')).toBeVisible()
    await field.fill('777777777777777777')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/Sign in with the Discord account that you entered/)).toBeVisible()
    // On a slow machine, the page from before the change is served while the new one is rendered.
    await expect.poll(async () => (await page.request.get(`${site.origin}/setup`)).status()).toBe(404)
    await page.goto(`${site.origin}/setup`)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  })
})

test('the owner skips the setup', async ({ page }) => {
  await page.goto(site.link)
  await page.getByRole('button', { name: 'Configure with environment variables instead' }).click()
  await onEachScreen(page, () => expectAccessible(page))
  // Storage can be blocked for the site.
  await page.evaluate(() =>
    Object.defineProperty(window, 'sessionStorage', {
      get: () => {
        throw new DOMException('Access is denied', 'SecurityError')
      },
    }),
  )
  await page.getByRole('alertdialog').getByRole('button', { name: 'Skip the setup' }).click()
  await expect(page.getByRole('heading', { name: 'Your site is ready' })).toBeVisible()
  expect((await page.request.get(`${site.origin}/api/setup`)).ok()).toBe(true)
})
