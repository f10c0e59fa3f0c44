import type { LoaderFunctionArgs } from 'react-router'
import { PAGE_SIZE } from '#contract/limits.ts'
import { apiContext } from '#web/lib/api-context.ts'

/** The page that an address names; the first where it names none. */
export function readPage(query: URLSearchParams): number {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page >= 1 && page < 2 ** 31 ? page : 1
}

export function loadShowcases({ context, request }: LoaderFunctionArgs) {
  const page = readPage(new URL(request.url).searchParams)
  return context.get(apiContext)('GET /api/scripts', {
    query: { page, limit: PAGE_SIZE, showcased: 'true', sort: 'showcase_date', order: 'desc' },
    signal: request.signal,
  })
}
