import { expect, test } from 'vitest'
import { render } from './entry.server.tsx'
import type { ApiResponse, Transport } from '#web/lib/client.ts'
import { DEFAULT_SITE } from '#contract/default-site.ts'

const ORIGIN = 'https://scripts.example'
const SITE = { ...DEFAULT_SITE, public_url: ORIGIN, discord_cdn_url: 'https://cdn.example' }
const noFiles = () => ({ css: [], scripts: [], preload: [], beforePaint: '/assets/before-paint.js' })

const makeResponse = (status: number, body: unknown): ApiResponse => ({
  status,
  statusText: '',
  text: JSON.stringify(body),
})

/** Renders with the same response to every API request but /api/site. */
function renderWith(path: string, reply: ApiResponse) {
  const send: Transport = async ({ url }) => (url === '/api/site' ? makeResponse(200, SITE) : reply)
  return render(`${ORIGIN}${path}`, send, noFiles)
}

test('renders a page with status 404 for an unknown URL', async () => {
  const { status, html, failure } = await renderWith('/nowhere', makeResponse(200, {}))
  expect(status).toBe(404)
  expect(html).toContain('Page not found</h1>')
  expect(failure).toBeUndefined()
})

test('renders the status and message of an API error', async () => {
  const unavailable = makeResponse(503, { error: 'The site is busy right now.', code: 'unavailable' })
  const { status, html, failure } = await renderWith('/scripts/spring-7', unavailable)
  expect(status).toBe(503)
  expect(html).toContain('Something went wrong</h1>')
  expect(html).toContain('The site is busy right now.')
  expect(failure).toBeUndefined()
})

test('renders an error page if loading fails, and returns the error for the log only', async () => {
  const { status, html, failure } = await renderWith(
    '/scripts/spring-7',
    makeResponse(200, { ratings: [], script: { slug: 'spring-7' } }),
  )
  expect(status).toBe(500)
  expect(html).toContain('Something went wrong</h1>')
  expect(failure).toBeInstanceOf(Error)
  expect(html).not.toContain((failure as Error).message)
})

test('renders an error page if rendering fails, and returns the error for the log only', async () => {
  const { status, html, failure } = await renderWith('/', makeResponse(200, { scripts: [7], pagination: {} }))
  expect(status).toBe(500)
  expect(html).toContain('Something went wrong</h1>')
  expect(html).toContain('</header>')
  expect(failure).toBeInstanceOf(Error)
  expect(html).not.toContain((failure as Error).message)
})

test('contains no inline script or style', async () => {
  const { html = '' } = await renderWith('/terms', makeResponse(200, {}))
  expect(html).not.toMatch(/ style=|<style|<script>| on[a-z]+=/)
  expect(html.match(/<script type="application\/json"/g)).toHaveLength(1)
})
