import { expect, test } from 'vitest'
import { render } from '#web/entry.server.tsx'
import { DEFAULT_SITE } from '#contract/default-site.ts'

const SITE = { ...DEFAULT_SITE, public_url: 'https://scripts.example' }
const noFiles = () => ({ css: [], scripts: [], preload: [], beforePaint: '/before-paint.js' })

/** Renders a path of the popular page with an empty list of this many pages. */
async function renderEmpty(path: string, pages: number): Promise<string> {
  const list = { scripts: [], pagination: { page: 1, pages, total: pages * 20, limit: 20 } }
  const send = async ({ url }: { url: string }) => ({
    status: 200,
    statusText: '',
    text: JSON.stringify(url === '/api/site' ? SITE : list),
  })
  return (await render(`https://scripts.example${path}`, send, noFiles)).html ?? ''
}

test.each([
  ['/popular', 0, 'No popular scripts yet', 'Scripts appear here once they have 100 views and a rating of 3.5.'],
  ['/popular?search=lamp', 0, 'No popular scripts found', 'Try fewer words or tags.'],
  ['/popular?page=9', 2, 'No popular scripts found', 'There are only 2 pages.'],
])('explains why %s is empty', async (path, pages, title, text) => {
  const html = await renderEmpty(path, pages)
  expect(html).toContain(title)
  expect(html).toContain(text)
})
