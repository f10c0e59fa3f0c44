import { useSessionNotices } from '../../lib/session.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Shows what happened to the session, also what happened before the page had come to life. */
export function SessionMessages() {
  useSessionNotices(useToast())
  return null
}
