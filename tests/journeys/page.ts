import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type Locator, type Page, type Route } from '@playwright/test'
import type Axe from 'axe-core'
import { openAs } from './members.ts'
import { type PageOptions, ReusedPages } from './reused-pages.ts'
import { type Person, readTemplate, type Site, startClonedSite } from './site.ts'
import { waitUntilVisible } from './wait.ts'

export { expect, type Page }

// Playwright maps each stack trace by source maps, and makes one for each of its calls. Node runs these files as they are.
Reflect.deleteProperty(Error, 'prepareStackTrace')

interface Fixtures {
  pageOptions: PageOptions
  /** Errors of the test's pages; any error fails the test. */
  pageErrors: string[]
  /** A visitor's page in a browser context of its own, at first without content. */
  openVisitor: () => Promise<Page>
  /** Signs a person in, in a browser context of their own, and opens a path, or no page if the test only calls the API. */
  signInAs: (person: Person, path?: string) => Promise<Page>
}

interface WorkerFixtures {
  site: Site
  reusedPages: ReusedPages
}

/** Provides one site per worker, and a page whose browser errors fail the test. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  site: [
    async ({ browserName }, provide, { workerIndex }) => {
      const site = await startClonedSite(readTemplate(), `${browserName}_${workerIndex}`)
      await provide(site)
      await site.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  reusedPages: [({ browser }, provide) => provide(new ReusedPages(browser)), { scope: 'worker' }],
  baseURL: ({ site }, provide) => provide(site.origin),
  pageOptions: ({ viewport, colorScheme, hasTouch, javaScriptEnabled }, provide) =>
    provide({ viewport, colorScheme, hasTouch, javaScriptEnabled }),
  openVisitor: async ({ reusedPages, pageOptions }, provide, info) => {
    const pages: Page[] = []
    await provide(async () => {
      const page = await reusedPages.borrow(pageOptions)
      pages.push(page)
      return page
    })
    const isReusable = info.status === info.expectedStatus
    for (const page of pages) await reusedPages.release(page, pageOptions, isReusable)
  },
  page: async ({ openVisitor }, provide) => provide(await openVisitor()),
  context: ({ page }, provide) => provide(page.context()),
  pageErrors: [
    async ({ page }, provide) => {
      const errors: string[] = []
      page.on('pageerror', (error) => errors.push(error.message))
      page.on('console', (message) => {
        // The browser also reports every response status that a test provokes.
        const isStatus = message.text().startsWith('Failed to load resource')
        if (message.type() === 'error' && !isStatus) errors.push(message.text())
      })
      await provide(errors)
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
  signInAs: ({ openVisitor, pageErrors }, provide) =>
    provide(async (person, path) => {
      const page = await openVisitor()
      page.on('pageerror', (error) => pageErrors.push(error.message))
      await openAs(page, person, path)
      return page
    }),
})

/** Each device has one color scheme, because colors come from the same tokens at every width. */
export const PHONE = { viewport: { width: 360, height: 780 }, colorScheme: 'light', hasTouch: true } as const

/** Declares journeys on a desktop and on a phone. Not as two projects: each would start browsers and sites of its own. */
export function onEachDevice(declare: () => void): void {
  test.describe('on a desktop', declare)
  test.describe('on a phone', () => {
    test.use(PHONE)
    declare()
  })
}

/** Runs a check on the width and the colors of a desktop, then on those of a phone, without another load of the page. */
export async function onEachScreen(page: Page, check: () => Promise<void>): Promise<void> {
  const size = page.viewportSize()
  await check()
  await page.setViewportSize(PHONE.viewport)
  await page.emulateMedia({ colorScheme: PHONE.colorScheme })
  await check()
  if (size) await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: null })
}

/** Opens a URL as a visitor and waits until the page is interactive. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitUntilVisible(page.getByRole('banner').getByRole('button', { name: /Login/, disabled: false }))
}

/** Sends a page's request on. Repeats it if the server has just closed the idle connection that Playwright uses for it. */
export const forward = (route: Route, changes: { url?: string } = {}) => route.fetch({ ...changes, maxRetries: 3 })

/** Delays the page's requests to a URL until the returned function is called. */
export async function delayRequests(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/**
 * Clicks a button and expects the focus on an element at once. If it moved a moment later, it could leave a field that the
 * person has entered since.
 */
export async function expectFocusAtOnce(button: Locator, selector: string): Promise<void> {
  const hasFocus = await button.evaluate((element: HTMLElement, target) => {
    element.click()
    return document.activeElement?.matches(target)
  }, selector)
  expect(hasFocus).toBe(true)
}

/** Expects that a click on the middle of an element reaches it now, for example because no message covers it. */
export async function expectUncovered(locator: Locator): Promise<void> {
  const isUncovered = await locator.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
  expect(isUncovered).toBe(true)
}

/** Expects that no message lies over an element or its focus ring. Waits, because messages move when the focus does. */
export async function expectNoMessageOver(locator: Locator): Promise<void> {
  const countOver = () =>
    locator.evaluate((element) => {
      const box = element.getBoundingClientRect()
      const messages = document.querySelectorAll('[aria-label=Messages] > *')
      return [...messages].filter((message) => {
        const { left, right, top, bottom } = message.getBoundingClientRect()
        return left < box.right && right > box.left && top < box.bottom && bottom > box.top
      }).length
    })
  await expect.poll(countOver).toBe(0)
}

/** Closes all messages, which may cover what is clicked next at the bottom of the page. */
export async function dismissMessages(page: Page): Promise<void> {
  const dismiss = page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Dismiss' })
  await dismiss.evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => button.click()))
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare const axe: typeof Axe

/** Runs a program in the page through the inspector, so that V8 reuses the code compiled for earlier pages. */
async function runProgram(page: Page, program: string): Promise<void> {
  const inspector = await page.context().newCDPSession(page)
  await inspector.send('Runtime.evaluate', { expression: program })
  await inspector.detach()
}

/** Kinds of text with sufficient contrast, one per line. The workers share them, because contrast takes longest to check. */
const checkedTextFile = () => `${readTemplate().folder}/checked-text`

function readCheckedText(): Set<string> {
  const file = checkedTextFile()
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
}

/** Marks one element of each kind of text, and returns the kinds. The contrast of a text depends only on its kind. */
function markText(): string[] {
  /** What is behind an element: its background, those of its ancestors up to an opaque one, and what blends these. */
  interface Backdrop {
    backgrounds: string
    blending: string
  }
  const backdrops = new Map<Element, Backdrop>()
  const backdropOf = (element: Element | null): Backdrop => {
    if (!element) return { backgrounds: '', blending: '' }
    const known = backdrops.get(element)
    if (known) return known
    const { backgroundColor, backgroundImage, opacity, filter, position, gridRowStart } = getComputedStyle(element)
    const parent = backdropOf(element.parentElement)
    const ownBlending = opacity === '1' && filter === 'none' ? '' : `${opacity} ${filter}/`
    const blending = `${ownBlending}${parent.blending}`
    const hasBackground = backgroundColor !== 'rgba(0, 0, 0, 0)' || backgroundImage !== 'none'
    const background = hasBackground ? `${backgroundColor} ${backgroundImage}/` : ''
    // Such an element can lie over elements that are not its ancestors.
    const isPositioned = position !== 'static' || gridRowStart !== 'auto'
    const layer = isPositioned ? `${element.getAttribute('class')}/` : ''
    const isOpaque = backgroundColor.startsWith('rgb(')
    const backgrounds = isOpaque
      ? `${background}${blending}`
      : `${background}${layer}${ownBlending}${parent.backgrounds}`
    const backdrop = { backgrounds, blending }
    backdrops.set(element, backdrop)
    return backdrop
  }
  const kinds = new Map<string, Element>()
  for (const element of (document.querySelector('dialog:modal') ?? document).querySelectorAll('*')) {
    // The code editor reverts changes to its elements.
    if (element.closest('[contenteditable]')) continue
    const hasText = [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim())
    if (!hasText && !element.matches('input, select, textarea')) continue
    const { color, fontSize, fontWeight, textShadow, visibility } = getComputedStyle(element)
    const isShown = visibility === 'visible' && element.getClientRects().length > 0
    // The text of disabled elements may have less contrast.
    const isDisabled = element.closest(':disabled, [aria-disabled=true], [inert], [aria-hidden=true]') !== null
    const style = `${color} ${fontSize} ${fontWeight} ${textShadow} ${isDisabled}`
    const kind = `${element.tagName} ${style} ${backdropOf(element).backgrounds}`
    if (isShown && !kinds.has(kind)) kinds.set(kind, element)
  }
  for (const [index, element] of [...kinds.values()].entries()) element.setAttribute('data-text-kind', String(index))
  return [...kinds.keys()].map((kind) => kind.replaceAll('\n', ' '))
}

/** Expects that axe finds no violation: in the modal dialog, else on the whole page, without frames. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await runProgram(page, AXE)
  // Text that is still fading in has less contrast.
  await page.evaluate(async () => {
    const isFinite = ({ effect }: Animation) => Number.isFinite(effect?.getComputedTiming().endTime)
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(isFinite)
        .map(({ finished }) => finished),
    )
  })
  const checkedText = readCheckedText()
  const kinds = await page.evaluate(markText)
  const checked = [...kinds.keys()].filter((index) => checkedText.has(kinds[index] ?? ''))
  const violations = await page.evaluate(async (indexes) => {
    const unmark = (element: Element | null) => element?.removeAttribute('data-text-kind')
    for (const index of indexes) unmark(document.querySelector(`[data-text-kind="${index}"]`))
    const rules = [{ id: 'color-contrast', selector: '[data-text-kind], [contenteditable] *' }]
    const options = {
      resultTypes: ['violations' as const],
      selectors: false,
      elementRef: false,
      iframes: false,
      // Only a rule about sound, which the site does not have, needs style sheets and media.
      preload: false,
    }
    const run = (noHtml: boolean) => {
      axe.reset()
      axe.configure({ rules, noHtml })
      return axe.run(document.querySelector('dialog:modal') ?? document, options)
    }
    // The HTML of all elements takes longer than most rules, so it is only read for the message of a failure.
    let results = await run(true)
    if (results.violations.length > 0) results = await run(false)
    document.querySelectorAll('[data-text-kind]').forEach(unmark)
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, checked)
  expect(violations).toEqual([])
  const added = kinds.filter((kind) => !checkedText.has(kind))
  if (added.length > 0) appendFileSync(checkedTextFile(), added.map((kind) => `${kind}\n`).join(''))
}

/** Sum of all layout shifts since the page loaded, as in CLS but without its windows. */
export function measureLayoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]
          resolve(shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0))
        }).observe({ type: 'layout-shift', buffered: true })
        // The observer reports nothing on a page without shifts.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(0), 50)))
      }),
  )
}

/** Waits, because tables turn into cards shortly after the width has changed. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const measureOverflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  await expect.poll(measureOverflow).toBeLessThanOrEqual(0)
}

/** Expects that a page fits a desktop and a phone and is accessible on both. */
export function expectGoodOnEachScreen(page: Page): Promise<void> {
  return onEachScreen(page, async () => {
    await expectNoOverflow(page)
    await expectAccessible(page)
  })
}

/** Path of a demo script, found by search. */
export async function findScript(page: Page, words: string): Promise<string> {
  const response = await page.request.get(`/api/scripts?search=${encodeURIComponent(words)}`)
  const { scripts } = (await response.json()) as { scripts: { slug: string }[] }
  return `/scripts/${scripts[0]?.slug ?? ''}`
}
