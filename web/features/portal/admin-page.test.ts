import { expect, test } from 'vitest'
import { render } from '#web/entry.server.tsx'
import type { Transport } from '#web/lib/client.ts'
import { DEFAULT_SITE } from '#contract/default-site.ts'

const ORIGIN = 'https://scripts.example'
const SITE = { ...DEFAULT_SITE, public_url: ORIGIN, discord_cdn_url: 'https://cdn.example' }

/** Renders a page of the portal as the server does, and records the API calls. */
async function renderPage(path: string) {
  const calls: string[] = []
  const send: Transport = async ({ url }) => {
    calls.push(url)
    return { status: 200, statusText: '', text: JSON.stringify(SITE) }
  }
  const assetsFor = () => ({ css: [], scripts: [], preload: [], beforePaint: '/assets/before-paint.js' })
  return { ...(await render(`${ORIGIN}${path}`, send, assetsFor)), calls }
}

test.each([
  ['/admin', 'Dashboard'],
  ['/admin/users', 'User Management'],
  ['/admin/users/12', 'User Management'],
  ['/admin/scripts?status=private', 'Script Management'],
  ['/admin/showcases', 'Showcase Management'],
  ['/admin/giveaways', 'Giveaway Management'],
  ['/admin/moderation', 'Moderation'],
  ['/admin/notifications', 'Notifications'],
])('renders %s without data', async (path, title) => {
  const { status, html, calls } = await renderPage(path)
  expect(status).toBe(200)
  expect(html).toContain(`<title>${title} · Admin portal · Scriptyard</title>`)
  expect(html).toContain('Loading...')
  expect(calls).toEqual(['/api/site'])
})

test.each([
  '/admin/nothing',
  '/admin/dashboard',
  '/admin/constructor',
  '/admin/scripts/1',
  '/admin/users/0',
  '/admin/users/1/2',
  '/admin/users/12x',
  '/admin/users/99999999999',
])('responds to %s with 404', async (path) => {
  const { status, html } = await renderPage(path)
  expect(status).toBe(404)
  expect(html).toContain('Page not found</h1>')
})
