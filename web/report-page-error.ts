import type { BodyOf } from '#contract/operations.ts'

type Kind = BodyOf<'POST /api/page-errors'>['kind']

/** React's codes for HTML that differs, and for an update before a part was hydrated, which is not an error. */
const MISMATCH = /#418\b.*?args\[\]=(text|HTML)|server rendered (text|HTML)/
const EARLY_UPDATE = /#421\b|received an update before it finished hydrating/

let isReported = false

/** Reports that React did not accept the page's HTML. Sends no more than the page's name: no URL, no content, no cookies. */
export function reportPageError(failure: unknown, page: string, build: string): void {
  const message = failure instanceof Error ? failure.message : ''
  if (isReported || EARLY_UPDATE.test(message)) return
  isReported = true
  const [, minified, full] = MISMATCH.exec(message) ?? []
  const kinds: Record<string, Kind> = { text: 'text', HTML: 'elements' }
  const kind = kinds[minified ?? full ?? ''] ?? 'other'
  fetch('/api/page-errors', {
    method: 'POST',
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ page, build, kind }),
  }).catch(() => undefined)
}
