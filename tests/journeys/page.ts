import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'

export { expect, type Page }

/** A page of the running site. Whatever a browser complains about during a journey fails it. */
export const test = base.extend<{ complaints: string[] }>({
  complaints: [
    async ({ page }, provide) => {
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        // A status that a journey asks for is reported by the browser too.
        const isStatus = message.text().startsWith('Failed to load resource')
        if (message.type() === 'error' && !isStatus) complaints.push(message.text())
      })
      await provide(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** Goes to an address and waits until the page has come to life. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('banner').getByRole('button', { name: /Login/ })).toBeEnabled()
}

export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
}

export async function expectNoOverflow(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
}

/** The address of a demo script, found as a visitor would find it. */
export async function findScript(page: Page, words: string): Promise<string> {
  const answer = await page.request.get(`/api/scripts?search=${encodeURIComponent(words)}`)
  const { scripts } = (await answer.json()) as { scripts: { slug: string }[] }
  return `/scripts/${scripts[0]?.slug ?? ''}`
}
