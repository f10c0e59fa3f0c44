import { useEffect, useEffectEvent, useState } from 'react'
import { declarableIds } from '#contract/hold-texts.ts'
import type { Script } from '#contract/scripts.ts'
import type { Hold, WaitingVersion } from '#contract/versions.ts'
import { useNow } from '#web/lib/clock.ts'
import { timeText } from '#web/lib/dates.ts'
import { newVersionPath } from '#web/shared/script-paths.ts'
import { SignInAgainDialog } from '#web/shared/sign-in/sign-in-again.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { DiscardDialog, NotMeDialog } from './discard-dialogs.tsx'
import { Difference, HoldReasons } from './hold-evidence.tsx'
import { ReleaseDialog } from './release-dialog.tsx'
import { useConfirmation } from './use-confirmation.ts'
import { useDeclareFound } from './use-declare-found.ts'
import { useHeldVersion } from './use-held-version.ts'
import { confirmedUntil } from './waiting-view.ts'

const CHECK_EVERY_MS = 2000

type WaitingScript = Pick<Script, 'id' | 'slug' | 'declared_capabilities'>

interface Props {
  script: WaitingScript
  waiting: WaitingVersion
  /** Whether the viewer is the author, or else a moderator or an admin. */
  isAuthor: boolean
  /** Whether the link of a notification asks to discard the version. */
  isDisowning: boolean
  /** Loads what waits again. */
  reload: () => Promise<unknown>
}

/** What waits, why, until when, and what the author or a moderator can do about it. */
export function WaitingPanel({ script, waiting, isAuthor, isDisowning, reload }: Props) {
  const { number, state, held } = waiting
  const loaded = useHeldVersion(script.id, number, state === 'held')
  const check = useEffectEvent(() => void reload())
  useEffect(() => {
    if (state !== 'checking') return undefined
    const timer = setInterval(() => document.hidden || check(), CHECK_EVERY_MS)
    return () => clearInterval(timer)
  }, [state])
  if (state === 'checking' || !held) {
    return (
      <div className="flex flex-col gap-3">
        <p className="text-muted">
          Nobody gets it until we have looked at what it does. That takes a few seconds; this page follows by itself.
        </p>
        {isAuthor && (
          <div className="flex flex-wrap gap-2">
            <DiscardButtons script={script} waiting={waiting} isDisowning={isDisowning} reload={reload} />
          </div>
        )}
      </div>
    )
  }
  const reasons = loaded?.version.held?.reasons ?? held.reasons
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <HoldReasons reasons={reasons} code={loaded?.code} />
      {loaded?.currentNumber !== undefined && (
        <Difference scriptId={script.id} from={loaded.currentNumber} to={number} />
      )}
      {isAuthor ? (
        <AuthorChoices
          script={script}
          waiting={waiting}
          held={held}
          holdHours={loaded?.holdHours}
          isDisowning={isDisowning}
          reload={reload}
        />
      ) : (
        <StaffChoices script={script} waiting={waiting} reload={reload} />
      )}
    </div>
  )
}

interface ChoicesProps extends Pick<Props, 'script' | 'waiting' | 'isDisowning' | 'reload'> {
  held: Hold
  holdHours: number | undefined
}

function AuthorChoices({ script, waiting, held, holdHours, isDisowning, reload }: ChoicesProps) {
  const { confirm, isBusy, interrupted, forget } = useConfirmation(script.id, waiting, reload)
  const declaring = useDeclareFound(script, reload)
  const declarable = waiting.is_first ? declarableIds(held.reasons) : []
  return (
    <>
      <NextStep waiting={waiting} held={held} holdHours={holdHours} canDeclare={declarable.length > 0} />
      <div className="flex flex-wrap gap-2">
        {declarable.length > 0 ? (
          <>
            <Button
              variant="primary"
              aria-disabled={declaring.isBusy}
              onClick={() => void declaring.declare(declarable)}
            >
              {declaring.isBusy ? 'Declaring...' : 'Declare these and publish'}
            </Button>
            <LinkButton to={newVersionPath(script)}>Change the code</LinkButton>
          </>
        ) : (
          held.confirmed_at === null && (
            <Button variant="primary" aria-disabled={isBusy} onClick={() => void confirm()}>
              {isBusy ? 'Confirming...' : 'Confirm'}
            </Button>
          )
        )}
        <DiscardButtons script={script} waiting={waiting} isDisowning={isDisowning} reload={reload} />
      </div>
      {interrupted && (
        <SignInAgainDialog action={interrupted} purpose={`confirm version ${waiting.version}`} onClose={forget} />
      )}
    </>
  )
}

interface NextStepProps extends Pick<ChoicesProps, 'waiting' | 'held' | 'holdHours'> {
  canDeclare: boolean
}

/** What happens if the author does nothing, and what if they confirm. */
function NextStep({ waiting, held, holdHours, canDeclare }: NextStepProps) {
  const now = useNow()
  if (canDeclare) {
    return (
      <p className="text-muted">
        Tell people what your script does: it is public as soon as you declare these findings. If it shouldn't do this,
        change the code.
      </p>
    )
  }
  if (held.current_at !== null) {
    return (
      <p className="text-muted">
        You confirmed it. Everyone gets it on {timeText(held.current_at)}. Until then you can discard it.
      </p>
    )
  }
  const until = holdHours === undefined ? undefined : confirmedUntil(waiting.created_at, holdHours, now)
  return (
    <p className="text-muted">
      Nobody gets it until you confirm that you published it.{' '}
      {until !== undefined && `Once you have, everyone gets it on ${timeText(until)}. `}
      {until === undefined && holdHours !== undefined && 'Once you have, everyone gets it at once. '}
      {waiting.is_first ? '' : 'Your current version stays public until then.'}
    </p>
  )
}

function DiscardButtons({
  script,
  waiting,
  isDisowning,
  reload,
}: Pick<Props, 'script' | 'waiting' | 'isDisowning' | 'reload'>) {
  const [dialog, setDialog] = useState<'discard' | 'not-me' | undefined>(isDisowning ? 'not-me' : undefined)
  // A notification that was followed while the page was open.
  const [wasDisowning, setWasDisowning] = useState(isDisowning)
  if (wasDisowning !== isDisowning) {
    setWasDisowning(isDisowning)
    if (isDisowning) setDialog('not-me')
  }
  const props = { scriptId: script.id, waiting, reload, onClose: () => setDialog(undefined) }
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setDialog('discard')}>
        Discard
      </Button>
      <Button variant="ghost" aria-haspopup="dialog" onClick={() => setDialog('not-me')}>
        This wasn't me
      </Button>
      {dialog === 'discard' && <DiscardDialog {...props} />}
      {dialog === 'not-me' && <NotMeDialog {...props} />}
    </>
  )
}

function StaffChoices({ script, waiting, reload }: Pick<Props, 'script' | 'waiting' | 'reload'>) {
  const [isReleasing, setReleasing] = useState(false)
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setReleasing(true)} className="self-start">
        Release
      </Button>
      {isReleasing && (
        <ReleaseDialog
          scriptId={script.id}
          number={waiting.number}
          version={waiting.version}
          onReleased={() => void reload()}
          onClose={() => setReleasing(false)}
        />
      )}
    </>
  )
}
