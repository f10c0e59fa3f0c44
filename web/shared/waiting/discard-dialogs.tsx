import type { WaitingVersion } from '#contract/versions.ts'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface Props {
  scriptId: number
  waiting: Pick<WaitingVersion, 'number' | 'version' | 'is_first'>
  reload: () => Promise<unknown>
  onClose: () => void
}

function useDiscard(scriptId: number, number: number, reload: Props['reload']) {
  const api = useApi()
  const run = useAction()
  return async (wasMe: boolean) => {
    const body = { script_id: scriptId, number, was_me: wasMe }
    // Also if it no longer waits: then the page shows what happened to it.
    await run(() => api('POST /api/version-discard', { body }), {
      success: ({ message }) => message,
      failure: "Couldn't discard the version",
    }).finally(() => void reload())
  }
}

const VersionName = ({ waiting }: Pick<Props, 'waiting'>) => (
  <bdi className="font-semibold text-text">{waiting.version}</bdi>
)

export function DiscardDialog({ scriptId, waiting, reload, onClose }: Props) {
  const discard = useDiscard(scriptId, waiting.number, reload)
  return (
    <ConfirmDialog
      title="Discard this version?"
      text={
        <p>
          Nobody will get version <VersionName waiting={waiting} />.{' '}
          {waiting.is_first ? 'Your script becomes private.' : 'Your current version stays as it is.'}
        </p>
      }
      confirmLabel="Discard"
      busyLabel="Discarding..."
      onConfirm={() => discard(true)}
      onClose={onClose}
    />
  )
}

/** For an author who did not publish the version: somebody else has their token or session. */
export function NotMeDialog({ scriptId, waiting, reload, onClose }: Props) {
  const discard = useDiscard(scriptId, waiting.number, reload)
  return (
    <ConfirmDialog
      title="This wasn't you?"
      text={
        <>
          <p>
            If you didn't publish version <VersionName waiting={waiting} />, somebody else can act for you. This stops
            them:
          </p>
          <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
            <li>The version is discarded. Nobody gets it.</li>
            <li>The API token that published it is revoked.</li>
            <li>All your other sessions end at once. This browser stays signed in.</li>
          </ul>
        </>
      }
      confirmLabel="Discard and secure my account"
      busyLabel="Discarding..."
      onConfirm={() => discard(false)}
      onClose={onClose}
    />
  )
}
