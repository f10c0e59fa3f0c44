import type { Locator } from '@playwright/test'

/** As long as `expect` waits. See playwright.config.ts. */
const TIMEOUT_MS = 15_000

/**
 * Waits like `expect(locator).toBeVisible()`, for helpers that wait after each load of a page. Each failed attempt of `expect`
 * describes the whole page for its message, which takes longer than all else that a wait does.
 */
export const waitUntilVisible = (locator: Locator): Promise<void> => locator.waitFor({ timeout: TIMEOUT_MS })
