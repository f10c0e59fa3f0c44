import { createContext, useContext } from 'react'
import { createContextKey } from '#web/router/routes.ts'
import type { Api } from './client.ts'

/** The API client of loaders. */
export const apiContext = createContextKey<Api>()

export const ApiContext = createContext<Api | undefined>(undefined)

/** The API client of components. */
export function useApi(): Api {
  const api = useContext(ApiContext)
  if (!api) throw new Error('useApi needs an ApiContext')
  return api
}
