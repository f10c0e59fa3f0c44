import type { LoaderFunctionArgs } from 'react-router'
import { apiContext } from '#web/lib/api-context.ts'
import { popularQuery, readPopular } from './popular-address.ts'

export function loadPopular({ context, request }: LoaderFunctionArgs) {
  const query = popularQuery(readPopular(new URL(request.url).searchParams))
  return context.get(apiContext)('GET /api/scripts', { query, signal: request.signal })
}
