import type { LoadedData } from '#web/router/routes.ts'
import type { SerializedError } from './page-errors.ts'

export interface PageState {
  loaderData: LoadedData['loaderData']
  errors: Record<string, SerializedError> | null
}

const ID = 'state'
// Characters that could end the element or a line of JavaScript.
const UNSAFE = /[<\u2028\u2029]/g

/** Serializes the page's state into a data block, which browsers do not execute. */
export function writeState(state: PageState): string {
  return `<script type="application/json" id="${ID}">${toSafeJson(state)}</script>`
}

/** A data block for search engines. */
export const writeStructuredData = (data: object): string =>
  `<script type="application/ld+json">${toSafeJson(data)}</script>`

const toSafeJson = (value: object): string =>
  JSON.stringify(value).replace(UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

export function readState(): PageState {
  return JSON.parse(document.getElementById(ID)?.textContent ?? '{}') as PageState
}
