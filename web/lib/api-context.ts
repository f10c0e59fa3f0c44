import { createContext, useContext } from 'react'
import { createContext as createRouterContext } from 'react-router'
import type { Api } from './client.ts'

/** How loaders reach the API. */
export const apiContext = createRouterContext<Api>()

export const ApiContext = createContext<Api | undefined>(undefined)

/** How components reach the API. */
export function useApi(): Api {
  const api = useContext(ApiContext)
  if (!api) throw new Error('useApi is used outside of ApiContext')
  return api
}
