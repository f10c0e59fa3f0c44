import KeyRound from 'lucide-react/icons/key-round'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { findLinks } from '#web/components/find-links.ts'
import type { ScriptDetails } from './load-script.ts'
import { Notice } from './notice.tsx'

/** That a key is needed, and that the script does not work at present. */
export function ScriptNotices({ script }: { script: ScriptDetails['script'] }) {
  return (
    <>
      {script.has_key_system && (
        <Notice icon={KeyRound}>
          <p className="font-semibold">This script uses a key system</p>
          <p className="text-muted">You need a key from its author to use it.</p>
          <KeyLink address={script.key_system_url} />
        </Notice>
      )}
      {!script.is_working && (
        <Notice icon={TriangleAlert}>
          <p className="font-semibold">Not working</p>
          <p className="text-muted">The author marked this script as currently broken.</p>
        </Notice>
      )}
    </>
  )
}

/** The address passes the same checks as any other that a member has written. */
function KeyLink({ address }: { address: string | null }) {
  const [link] = findLinks(address ?? '')
  if (!link?.href) return null
  return (
    <a
      href={link.href}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
      className="inline-flex min-h-11 items-center font-medium wrap-anywhere text-accent hover:underline sm:min-h-8"
    >
      Get a key at {new URL(link.href).host}
    </a>
  )
}
