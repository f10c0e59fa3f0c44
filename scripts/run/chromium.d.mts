/** Path of the browser for tests and benchmarks: CHROMIUM, that of npm or Debian, or '' for Playwright's own, which is installed. */
export function findChromium(node: string): Promise<string>
