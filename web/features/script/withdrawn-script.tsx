import ArchiveX from 'lucide-react/icons/archive-x'
import CornerUpRight from 'lucide-react/icons/corner-up-right'
import type { Problem } from '#contract/operation.ts'
import { Link } from '#web/router/router.tsx'
import { ScriptSkeleton } from '#web/shared/cards/script-skeleton.tsx'
import { MissingForVisitors } from '#web/shared/missing-for-visitors.tsx'
import { scriptPath } from '#web/shared/script-paths.ts'
import { timeText } from '#web/lib/dates.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { WITHDRAWERS } from './version-state.ts'

export type Withdrawn = NonNullable<Problem['withdrawn']>

/** The page of a script whose only version was withdrawn, with the reason and the script that replaces it. */
export function WithdrawnScript({ withdrawn }: { withdrawn: Withdrawn }) {
  const { version, withdrawn_at, by, reason, is_malicious, successor } = withdrawn
  return (
    <MissingForVisitors
      icon={ArchiveX}
      title="This script was withdrawn"
      text={`Version ${version} was withdrawn by ${WITHDRAWERS[by]} on ${timeText(withdrawn_at)}. Nobody gets its code any more.`}
      path="/scripts"
      skeleton={<ScriptSkeleton />}
    >
      <div className="flex w-full flex-col gap-2 rounded-md border border-line bg-surface-1 p-4 text-start">
        <h2 className="font-semibold">Reason</h2>
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {reason}
        </p>
        <p className={is_malicious ? 'text-danger' : 'text-muted'}>
          {is_malicious
            ? 'Moderators found that it harms those who run it. If you have this code, delete it.'
            : 'If you have this code, stop using it.'}
        </p>
      </div>
      {successor && <Successor successor={successor} />}
      <div className="flex flex-wrap justify-center gap-3">
        {successor && (
          <LinkButton to={scriptPath(successor)} variant="primary">
            Open the new script
          </LinkButton>
        )}
        <LinkButton to="/scripts" {...(successor ? {} : { variant: 'primary' })}>
          Back to scripts
        </LinkButton>
      </div>
    </MissingForVisitors>
  )
}

/** One line about the script that its author or moderators recommend instead. */
export function Successor({ successor }: { successor: NonNullable<Withdrawn['successor']> }) {
  return (
    <p className="flex items-start gap-2.5 wrap-anywhere">
      <CornerUpRight aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <span>
        Replaced by{' '}
        <Link to={scriptPath(successor)} className="font-medium underline hover:text-accent">
          <bdi>{successor.title}</bdi>
        </Link>
      </span>
    </p>
  )
}
