import type { LoaderFunctionArgs } from 'react-router'
import { apiContext } from '#web/lib/api-context.ts'

export async function loadGiveaways({ context, request }: LoaderFunctionArgs) {
  const { data } = await context.get(apiContext)('GET /api/giveaways', { signal: request.signal })
  return data.giveaways
}
