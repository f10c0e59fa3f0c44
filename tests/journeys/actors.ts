import type { BrowserContext, Page } from '@playwright/test'
import { type Person, signIn } from './members.ts'
import { test as base } from './page.ts'

type Meet = (person: Person, address: string) => Promise<Page>

/** Journeys of several people at once, each in a browser of their own. */
export const test = base.extend<{ meet: Meet }>({
  meet: async ({ browser, complaints }, provide) => {
    const browsers: BrowserContext[] = []
    await provide(async (person, address) => {
      const context = await browser.newContext()
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

/** Calls the site as the member who is signed in there. */
export function call(page: Page, method: string, path: string, body?: unknown): Promise<number> {
  return page.evaluate(
    async ([name, address, text]) => {
      const headers = {
        authorization: `Bearer ${localStorage.getItem('auth_token')}`,
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      }
      return (await fetch(address, { method: name, headers, ...(text === undefined ? {} : { body: text }) })).status
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  )
}
