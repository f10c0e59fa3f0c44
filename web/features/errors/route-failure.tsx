import { isRouteErrorResponse, useRouteError } from 'react-router'
import { NotFoundPage } from './not-found.tsx'
import { SomethingWentWrong } from './something-went-wrong.tsx'

/** What stands in a page's place when it could not be made. */
export function RouteErrorPage() {
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />
  return <SomethingWentWrong error={error} />
}
