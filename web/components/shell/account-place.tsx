import { useState } from 'react'
import { useApi } from '../../lib/api-context.ts'
import { ApiError } from '../../lib/api-error.ts'
import { useSession } from '../../lib/session.tsx'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Where a visitor signs in and a member is shown. Its width is kept, so that nothing moves when the session is known. */
export function AccountPlace() {
  const session = useSession()
  return (
    <div className="flex w-24 justify-end sm:w-44">
      {session.status === 'loading' && (
        <Button size="sm" disabled className="w-full noscript:hidden">
          Loading...
        </Button>
      )}
      {session.status === 'anonymous' && <LoginButton />}
      {session.status === 'member' && <span className="truncate px-2 font-medium">{session.user.username}</span>}
    </div>
  )
}

function LoginButton() {
  const api = useApi()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const logIn = async () => {
    setBusy(true)
    try {
      const { authUrl } = await api.request<{ authUrl?: string }>('GET', '/discord-auth')
      if (!authUrl) throw new ApiError(0, 'Failed to get Discord auth URL')
      location.assign(authUrl)
    } catch (error) {
      toast({ title: 'Login failed', tone: 'error', ...(error instanceof ApiError ? { text: error.message } : {}) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button size="sm" variant="primary" disabled={isBusy} onClick={() => void logIn()} className="w-full">
      <span className="max-sm:sr-only">Login with Discord</span>
      <span aria-hidden className="sm:hidden">
        Login
      </span>
    </Button>
  )
}
