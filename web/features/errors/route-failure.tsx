import { isRouteErrorResponse, useRouteError } from 'react-router'
import { NotFound } from './not-found.tsx'
import { SomethingWentWrong } from './something-went-wrong.tsx'

/** What stands in a page's place when it could not be made. */
export function RouteFailure() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  return <SomethingWentWrong error={error} />
}
