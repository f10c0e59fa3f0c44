import { createContext, useContext } from 'react'
import { createContextKey } from '#web/router/routes.ts'
import type { Api } from './client.ts'

export const apiContext = createContextKey<Api>()

export const ApiContext = createContext<Api | undefined>(undefined)

export function useApi(): Api {
  const api = useContext(ApiContext)
  if (!api) throw new Error('useApi needs an ApiContext')
  return api
}
