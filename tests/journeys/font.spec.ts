import { expect, findScript, measureLayoutShift, onEachDevice, test } from './page.ts'

/** Replaces the fonts with adjusted metrics by ones that no system has, so that the text has the browser's default font. */
const withoutFallbacks = (css: string) => css.replaceAll(/local\([^)]*\)/g, 'local("No such font")')

onEachDevice(() => {
  test('nothing moves when the font arrives late, whatever the font before it is', async ({ page }) => {
    await page.route('**/*.css', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: withoutFallbacks(await response.text()) })
    })
    for (const path of [await findScript(page, 'signal'), '/', '/popular']) {
      const font = Promise.withResolvers<void>()
      await page.route('**/inter*.woff2', async (route) => {
        await font.promise
        await route.continue()
      })
      const loaded = page.waitForResponse('**/inter*.woff2')
      await page.goto(path, { waitUntil: 'domcontentloaded' })
      await expect(page.getByRole('banner').getByRole('button', { name: /^Login/ })).toBeEnabled()
      font.resolve()
      await (await loaded).finished()
      await page.evaluate(() => document.fonts.ready)
      expect(await measureLayoutShift(page), path).toBeLessThan(0.01)
      await page.unroute('**/inter*.woff2')
    }
  })
})
