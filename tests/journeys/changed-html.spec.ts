import type { Page } from '@playwright/test'
import { expect, findScript, measureLayoutShift, open, test } from './page.ts'
import { findHtmlFaults } from '#tests/support/stable-html.ts'

/** What content delivery networks, translators and extensions do to the HTML before React hydrates it. */
const CHANGES: Record<string, (html: string) => string> = {
  'removes comments': (html) => html.replaceAll(/<!--.*?-->/gs, ''),
  'adds whitespace': (html) => html.replaceAll(/(<\/?(?:div|section|ul|li|p|main|header|nav|body|head)\b[^>]*>)/g, '\n  $1\n  '),
  'changes a word': (html) => html.replace(/(<main\b[^]*?>)([A-Z][a-z]+ )/, '$1Changed '),
  'wraps text': (html) => changeBody(html, (body) => body.replaceAll(/>([^<>{}]*[a-z][^<>{}]*)</g, '><font><font>$1</font></font><')),
  'adds elements': (html) =>
    html
      .replace('<head>', '<head><style data-extension>.added{color:red}</style><meta name="added" content="1">')
      .replace(/<body[^>]*>/, '$&<div id="added"><p>Added</p></div>')
      .replace('<main', '<div class="added">Added</div><main'),
  'obfuscates addresses': (html) => changeBody(html, (body) => body.replaceAll(/(<\/h[1-3]>)/g, '<span class="__cf_email__" data-cfemail="1">[email]</span>$1')),
  'reorders attributes': (html) =>
    html.replaceAll(/<([a-z]+) ([\w-]+="[^"]*") ([\w-]+="[^"]*")/g, '<$1 $3 $2').replace('<html ', '<html data-extension="1" '),
  'adds a script': (html) => html.replace('</body>', '<script src="/robots.txt" data-added></script></body>'),
}

/** Changes the elements of <body> but not the data after them. */
function changeBody(html: string, change: (body: string) => string): string {
  const start = html.indexOf('<body')
  const end = html.indexOf('<script type="application/')
  return html.slice(0, start) + change(html.slice(start, end)) + html.slice(end)
}

/** Changes the HTML of all pages on its way to the browser. */
async function changeHtml(page: Page, change: (html: string) => string): Promise<void> {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    return route.fulfill({ response, body: change(await response.text()) })
  })
}

async function findPages(page: Page): Promise<string[]> {
  const script = await findScript(page, 'elevator')
  return ['/', script, '/profile/okapi', '/popular', '/showcases', '/giveaways', '/upload', '/profile/settings', '/admin', '/api/docs', '/terms', '/nowhere']
}

for (const [name, change] of Object.entries(CHANGES)) {
  test(`pages work behind a proxy that ${name}`, async ({ page }) => {
    const paths = await findPages(page)
    await changeHtml(page, change)
    for (const path of paths) {
      await open(page, path)
      const shift = await measureLayoutShift(page)
      console.log(name, path, shift)
      await expect(page.locator('main')).not.toBeEmpty()
      await expect(page).toHaveTitle(/./)
      const search = page.getByRole('banner').getByRole('combobox')
    }
  })
}
