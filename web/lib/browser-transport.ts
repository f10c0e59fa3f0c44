import type { Transport } from './client.ts'
import { readToken } from './token.ts'

/** Sends over HTTP with the member's token where there is one. */
export const sendOverHttp: Transport = async ({ method, url, headers, body, signal }) => {
  const token = readToken()
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    // A small message such as 'copied' still arrives when the page is left at once.
    keepalive: method === 'POST' && typeof body === 'string' && body.length < 1000,
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  })
  return { status: response.status, statusText: response.statusText, text: await response.text() }
}
