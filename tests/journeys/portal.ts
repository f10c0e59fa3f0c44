import { type Person, signIn } from './members.ts'
import { expect, test as base } from './page.ts'
import type { BrowserContext, Page } from '@playwright/test'

type Enter = (person: Person, address: string) => Promise<Page>

/** Journeys in the portal, of several people at once where needed, each in a browser of their own. */
export const test = base.extend<{ enter: Enter }>({
  enter: async ({ browser, contextOptions, complaints }, provide) => {
    const browsers: BrowserContext[] = []
    await provide(async (person, address) => {
      const context = await browser.newContext(contextOptions)
      browsers.push(context)
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(address)
      await signIn(page, person)
      return page
    })
    for (const context of browsers) await context.close()
  },
})

/** Opens a tab of the portal as the demo's admin. */
export async function openPortal(page: Page, address = '/admin'): Promise<void> {
  await page.goto(address)
  await signIn(page, 'marlow')
  await expect(page.getByRole('heading', { level: 1, name: 'Admin portal' })).toBeVisible()
}

interface Signed {
  id: number
  username: string
}

/** Who is signed in there. */
export async function whoIs(page: Page): Promise<Signed> {
  return JSON.parse((await call(page, 'GET', '/api/user-profile')).text) as Signed
}

export const nameOf = async (page: Page): Promise<string> => (await whoIs(page)).username

export async function expectToast(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true }).first()).toBeVisible()
}

/** What the server answers to whoever is signed in there. */
export function call(
  page: Page,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; text: string }> {
  return page.evaluate(
    async ([name, address, text]) => {
      const headers = {
        authorization: `Bearer ${localStorage.getItem('auth_token')}`,
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const answer = await fetch(address, { method: name, headers, ...(text === undefined ? {} : { body: text }) })
      return { status: answer.status, text: await answer.text() }
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  )
}

/** A name that no other journey uses, nor an earlier run on the same site. */
export const unique = (name: string): string => `${name} ${Date.now().toString(36)}`
