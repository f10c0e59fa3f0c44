/** Path of the browser for tests and benchmarks: CHROMIUM, Debian's, or '' for Playwright's own, which is installed. */
export function findChromium(node: string): Promise<string>
