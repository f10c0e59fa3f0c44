import type { LoaderFunctionArgs } from 'react-router'
import { apiContext } from '#web/lib/api-context.ts'

export interface Schema {
  type?: string
  enum?: (string | number)[]
  description?: string
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

export interface Described {
  summary: string
  parameters: { name: string; required: boolean; schema: Schema }[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: { 'application/json': { schema: Schema } } }>
}

export interface ApiDescription {
  paths: Record<string, Record<string, Described>>
}

export function loadApi({ context }: LoaderFunctionArgs): Promise<ApiDescription> {
  return context.get(apiContext).request<ApiDescription>('GET', '/openapi.json')
}
