import { expect, test } from 'vitest'
import { render } from './entry.server.tsx'
import type { ApiResponse, Transport } from '#web/lib/client.ts'

const ORIGIN = 'https://scripts.example'
const SITE = { name: 'Scriptyard', public_url: ORIGIN, has_chat: false, discord_cdn_url: 'https://cdn.example' }
const noFiles = () => ({ css: [], scripts: [], preload: [], beforePaint: '/assets/before-paint.js' })

const answer = (status: number, body: unknown): ApiResponse => ({ status, statusText: '', text: JSON.stringify(body) })

/** Renders while every call but the site's own is answered alike. */
function renderWith(path: string, reply: ApiResponse) {
  const send: Transport = async ({ url }) => (url === '/api/site' ? answer(200, SITE) : reply)
  return render(`${ORIGIN}${path}`, send, noFiles)
}

test('answers an unknown address with 404 and a page', async () => {
  const { status, html, failure } = await renderWith('/nowhere', answer(200, {}))
  expect(status).toBe(404)
  expect(html).toContain('Page not found</h1>')
  expect(failure).toBeUndefined()
})

test('passes on that the API is away, with its sentence', async () => {
  const away = answer(503, { error: 'The site is busy right now.', code: 'unavailable' })
  const { status, html, failure } = await renderWith('/scripts/spring-7', away)
  expect(status).toBe(503)
  expect(html).toContain('Something went wrong</h1>')
  expect(html).toContain('The site is busy right now.')
  expect(failure).toBeUndefined()
})

test('makes a page of what breaks while loading, and tells the log alone why', async () => {
  const { status, html, failure } = await renderWith(
    '/scripts/spring-7',
    answer(200, { ratings: [], script: { slug: 'spring-7' } }),
  )
  expect(status).toBe(500)
  expect(html).toContain('Something went wrong</h1>')
  expect(failure).toBeInstanceOf(Error)
  expect(html).not.toContain((failure as Error).message)
})

test('makes a page of what breaks while drawing, and tells the log alone why', async () => {
  const { status, html, failure } = await renderWith('/', answer(200, { scripts: [7], pagination: {} }))
  expect(status).toBe(500)
  expect(html).toContain('Something went wrong</h1>')
  expect(html).toContain('</header>')
  expect(failure).toBeInstanceOf(Error)
  expect(html).not.toContain((failure as Error).message)
})

test('carries no inline script or style that a browser would run', async () => {
  const { html = '' } = await renderWith('/terms', answer(200, {}))
  expect(html).not.toMatch(/ style=|<style|<script>| on[a-z]+=/)
  expect(html.match(/<script type="application\/json"/g)).toHaveLength(1)
})
