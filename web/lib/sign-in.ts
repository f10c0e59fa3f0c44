import { ApiError } from './api-error.ts'
import type { Api } from './client.ts'

/** Read back by web/before-paint.ts, which can import nothing. */
const RETURN_TO = 'return_to'

/** Sends the browser to Discord. It comes back to the page it leaves. */
export async function leaveToSignIn(api: Api): Promise<void> {
  const { authUrl } = await api.request<{ authUrl?: string }>('GET', '/discord-auth')
  if (!authUrl) throw new ApiError(0, 'Failed to get Discord auth URL')
  try {
    sessionStorage.setItem(RETURN_TO, `${location.pathname}${location.search}${location.hash}`)
  } catch {
    // Storage is blocked: the front page it is.
  }
  location.assign(authUrl)
}
