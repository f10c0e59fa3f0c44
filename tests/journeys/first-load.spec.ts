import { globSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, findScript, test, type Page } from './page.ts'

/** Bytes of JavaScript that a visitor downloads before a page is complete, compressed with Brotli. */
const MAX_FIRST_LOAD = 112_640
/** Each file costs a request. */
const MAX_FILES = 16

const LOADED = /<script[^>]+src="(\/assets\/[^"]+\.js)"|<link[^>]+rel="modulepreload"[^>]+href="(\/assets\/[^"]+\.js)"/g
/** `import(...)` is not matched: it loads later. */
const STATIC_IMPORT = /(?:import|from)\s*"(\.\/[^"]+\.js)"/g

const fileOf = (url: string) => path.join('dist/client', url)

/** The scripts that a page's HTML names, and all that they import statically. */
async function findScripts(page: Page, url: string): Promise<Set<string>> {
  const html = await (await page.request.get(url)).text()
  const scripts = new Set([...html.matchAll(LOADED)].map(([, script, preload]) => script ?? preload ?? ''))
  for (const script of scripts) {
    const imports = readFileSync(fileOf(script), 'utf8').matchAll(STATIC_IMPORT)
    for (const [, target = ''] of imports) scripts.add(path.posix.join(path.posix.dirname(script), target))
  }
  return scripts
}

for (const name of ['/', 'a script', '/popular', '/profile/marlow', '/giveaways']) {
  test(`the first load of ${name} stays within the limit`, async ({ page }) => {
    const scripts = await findScripts(page, name === 'a script' ? await findScript(page, 'settings menu') : name)
    expect(scripts.size).toBeGreaterThan(3)
    expect(scripts.size).toBeLessThanOrEqual(MAX_FILES)
    const bytes = [...scripts].reduce((sum, script) => sum + statSync(`${fileOf(script)}.br`).size, 0)
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_LOAD)
  })
}

test('the pages do not contain the library of the API schemas', () => {
  const scripts = globSync('dist/client/assets/*.js')
  expect(scripts.length).toBeGreaterThan(100)
  // TypeBox marks each schema with this property.
  expect(scripts.filter((file) => readFileSync(file, 'utf8').includes('~kind'))).toEqual([])
})
