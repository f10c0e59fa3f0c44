import { expect, test } from 'vitest'
import { DEFAULT_SITE } from '#contract/default-site.ts'
import { render } from '#web/entry.server.tsx'
import { RULES } from '#web/shared/community-rules.ts'

const ORIGIN = 'https://scripts.example'
const ASSETS = { css: [], scripts: [], preload: [], beforePaint: '/assets/before-paint.js' }

/** Renders the page as the server does, with the text that admins wrote. */
const renderRules = (text: string | null) =>
  render(
    `${ORIGIN}/rules`,
    async ({ url }) => {
      const body = url.startsWith('/api/site-text') ? { text } : { ...DEFAULT_SITE, public_url: ORIGIN }
      return { status: 200, statusText: '', text: JSON.stringify(body) }
    },
    () => ASSETS,
  )

test('a site has a rule for each reason of a report from the first start on', async () => {
  const { status, html } = await renderRules(null)
  expect(status).toBe(200)
  for (const { title } of Object.values(RULES)) expect(html).toContain(`>${title}</h2>`)
  expect(html).toMatch(/<footer.*href="\/rules"/s)
})

test('own rules replace the default ones', async () => {
  const { status, html } = await renderRules('# Be kind')
  expect(status).toBe(200)
  expect(html).toContain('Be kind</h3>')
  expect(html).not.toContain(RULES.spam.title)
})
