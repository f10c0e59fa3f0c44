import { useSessionNotices } from '#web/lib/session.tsx'
import { useToast } from '#web/ui/toast.tsx'

/** Shows what happened to the session, also what happened before the page had come to life. */
export function SessionMessages() {
  useSessionNotices(useToast())
  return null
}
