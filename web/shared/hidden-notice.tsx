import { useEffect, useState } from 'react'
import EyeOff from 'lucide-react/icons/eye-off'
import type { OwnCase } from '#contract/reports.ts'
import { AppealDialog } from './appeal-dialog.tsx'
import { RelativeTime } from './relative-time.tsx'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'

const APPEAL_TEXTS = {
  open: 'Your appeal is waiting for another moderator.',
  upheld: 'Your appeal was reviewed, and the decision was upheld.',
  granted: 'Your appeal was granted.',
}

/** The decision that hid the content. Undefined on errors: the notification and the list of decisions say the same. */
async function readDecision(api: Api, type: Props['type'], id: number): Promise<OwnCase | undefined> {
  const isAbout = ({ subject_type, subject_id, is_hidden }: OwnCase) =>
    subject_type === type && subject_id === id && is_hidden
  return api('GET /api/own-cases').then(
    ({ cases }) => cases.find(isAbout),
    () => undefined,
  )
}

interface Props {
  type: 'script' | 'collection'
  id: number
}

/** Tells the author of a script or collection that moderators hid it, why, and how to appeal. Empty if they didn't. */
export function HiddenNotice({ type, id }: Props) {
  const api = useApi()
  const [decision, setDecision] = useState<OwnCase>()
  const [isAppealing, setAppealing] = useState(false)
  const load = () => void readDecision(api, type, id).then(setDecision)
  useEffect(() => void readDecision(api, type, id).then(setDecision), [api, type, id])
  if (!decision) return null
  return (
    <section
      aria-label="Hidden by moderators"
      className="flex flex-wrap items-start gap-x-4 gap-y-3 rounded-md border border-danger bg-surface-1 p-4"
    >
      <EyeOff aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">
          Moderators hid this {type}
          {decision.decided_at && (
            <span className="font-normal text-muted">
              {' '}
              <RelativeTime iso={decision.decided_at} />
            </span>
          )}
        </p>
        <p className="text-muted">Only you and the staff can see it.</p>
        {decision.decision && (
          <p dir="auto" className="mt-2 wrap-anywhere whitespace-pre-wrap">
            {decision.decision}
          </p>
        )}
        {decision.appeal_status && <p className="mt-2 text-muted">{APPEAL_TEXTS[decision.appeal_status]}</p>}
      </div>
      {decision.can_appeal ? (
        <Button size="sm" aria-haspopup="dialog" onClick={() => setAppealing(true)}>
          Appeal
        </Button>
      ) : (
        <LinkButton size="sm" to="/appeals">
          Decisions and appeals
        </LinkButton>
      )}
      {isAppealing && <AppealDialog caseId={decision.id} onAppealed={load} onClose={() => setAppealing(false)} />}
    </section>
  )
}
