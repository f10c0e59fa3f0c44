import type { Transport } from './client.ts'
import { forgetToken, readToken, replaceToken } from './token.ts'

const UNAUTHORIZED = 401

/** Sends over HTTP with the member's token where there is one; what the answer says of the session is heeded here. */
export const sendOverHttp: Transport = async ({ method, url, headers, body, signal }) => {
  const token = readToken()
  const isSmall = typeof body === 'string' && body.length < 1000
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
    // A small message such as 'copied', and a sign-out, still arrive when the page is left at once.
    keepalive: (method === 'POST' && isSmall) || (method === 'DELETE' && body === undefined),
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  })
  // The token from the address is good for one use; its answer carries the lasting one.
  const lasting = response.headers.get('session-token')
  if (token && lasting) replaceToken(token, lasting)
  else if (token && response.status === UNAUTHORIZED) forgetToken(token)
  return { status: response.status, statusText: response.statusText, text: await response.text() }
}
