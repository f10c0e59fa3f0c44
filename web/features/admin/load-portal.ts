import { data, type LoaderFunctionArgs } from 'react-router'
import { readPlace } from './portal-tabs.ts'

/** Where in the portal an address leads; null and 404 where it leads nowhere. What stands there is loaded in the browser alone. */
export function loadPortal({ params }: LoaderFunctionArgs) {
  const place = readPlace(params['*'] ?? '')
  return data(place ?? null, { status: place ? 200 : 404 })
}
