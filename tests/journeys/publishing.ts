import type { Behavior } from '#contract/behavior.ts'
import type { NewScript } from '#contract/script-input.ts'
import { openAs, readToken } from './members.ts'
import { expect, type Page } from './page.ts'

/** Signs a new member in, without opening a page. */
export async function arriveAsNewcomer(page: Page): Promise<void> {
  await openAs(page, 'Someone new')
}

/** Ends the session on the server only, as if it had expired. */
export async function endSession(page: Page): Promise<void> {
  // Otherwise a request in the background could notice it before the test's next step.
  await page.route(/\/api\/(drafts?|script-check|notification-stream|user-notifications)(\?|$)/, (route) =>
    route.abort(),
  )
  const sent = (await page.requests()).filter((request) => request.url().includes('/api/'))
  await Promise.all(sent.map((request) => request.response()))
  const headers = await authorization(page)
  expect((await page.request.delete('/api/session', { headers })).ok()).toBe(true)
}

/** Makes the browser reject what the page stores from now on, as it does with what is stored while a page is left. */
export async function rejectDraftWrites(page: Page): Promise<void> {
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The page is being left.')
    }
  })
}

/** Publishes a script through the API. Returns its path. */
export async function publishScript(page: Page, fields: Partial<NewScript> = {}): Promise<string> {
  const data: NewScript = {
    title: 'A quiet clock',
    description: 'Shows the time.',
    script_content: 'print(os.time())\n',
    ...fields,
  }
  const response = await page.request.post('/api/scripts', { headers: await authorization(page), data })
  const { script } = (await response.json()) as { script: { slug: string } }
  return `/scripts/${script.slug}`
}

/** Changes a script through the API, as if in another browser. */
export async function changeScript(page: Page, path: string, data: object): Promise<void> {
  const headers = await authorization(page)
  const id = path.split('-').at(-1) ?? ''
  expect((await page.request.put(`/api/script-details?id=${id}`, { headers, data })).ok()).toBe(true)
}

/** Waits until a script is analyzed. */
export async function waitForCard(page: Page, path: string): Promise<void> {
  const url = `/api/script-behavior?id=${path.split('-').at(-1)}`
  const readStatus = async () =>
    ((await (await page.request.get(url)).json()) as { behavior: Behavior }).behavior.status
  await expect.poll(readStatus, { timeout: 60_000 }).toBe('ready')
}

/** Number of the member's listed scripts with this title. */
export async function countOwn(page: Page, title: string): Promise<number> {
  const profile = await page.request.get('/api/user-profile', { headers: await authorization(page) })
  const { id } = (await profile.json()) as { id: number }
  const response = await page.request.get(`/api/scripts?author=${id}&limit=50`)
  const { scripts } = (await response.json()) as { scripts: { title: string }[] }
  return scripts.filter((script) => script.title === title).length
}

async function authorization(page: Page): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await readToken(page)}` }
}
