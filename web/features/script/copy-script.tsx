import { Suspense, useState } from 'react'
import type { Script } from '#contract/scripts.ts'
import type { Alert } from '#web/shared/behavior/behavior-view.ts'
import { CopyButton, type LookProps } from '#web/ui/copy-button.tsx'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

const ConfirmDialog = lazyComponent(async () => (await import('#web/ui/confirm-dialog.tsx')).ConfirmDialog)

const scriptFailure = { title: "Couldn't copy the script", text: 'Please try again, or download it instead.' }

/** Of the page's main button, of which one is shown on desktops and one on phones. */
export const COPY_SHORTCUT = 'C'

export const UNDECLARED_TEXT = 'The author did not say so.'

type CopyScriptProps = LookProps & {
  script: Pick<Script, 'id' | 'slug' | 'content_sha256'>
  /** What to ask about before the code is copied for the first time. */
  alert?: Alert | null
}

/** Copies the whole script. Counts as a download. */
export function CopyScript({ script, alert = null, ...look }: CopyScriptProps) {
  const api = useApi()
  const [copyAnyway, setCopyAnyway] = useState<() => Promise<void>>()
  const countDownload = () => {
    api('POST /api/script-download', { body: { script_id: script.id } }).catch(() => undefined)
  }
  const confirm = () => {
    recordConsent(script)
    return copyAnyway?.()
  }
  return (
    <>
      <CopyButton
        {...look}
        load={() => loadCode(api, script)}
        failure={scriptFailure}
        onCopied={countDownload}
        guard={(copy) => (alert && !hasConsent(script) ? setCopyAnyway(() => copy) : void copy())}
      />
      {alert && copyAnyway && (
        <Suspense>
          <ConfirmDialog
            title="Copy this script?"
            text={`${alert.text}. ${UNDECLARED_TEXT}`}
            confirmLabel="Copy anyway"
            onConfirm={confirm}
            onClose={() => setCopyAnyway(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

type Code = Pick<Script, 'id' | 'content_sha256'>
const consentKey = ({ id }: Code) => `copy-anyway-${id}`

/** Whether this tab was asked about this code before. */
function hasConsent(script: Code): boolean {
  try {
    return sessionStorage.getItem(consentKey(script)) === script.content_sha256
  } catch {
    return false
  }
}

function recordConsent(script: Code): void {
  try {
    sessionStorage.setItem(consentKey(script), script.content_sha256)
  } catch {
    // Storage is blocked: the next copy asks again.
  }
}

let latest: { sha256: string; code: Promise<string> } | undefined

/** Loads the whole code and caches the latest one. A failed request is not cached. */
export function loadCode(api: Api, script: Pick<Script, 'slug' | 'content_sha256'>): Promise<string> {
  if (latest?.sha256 === script.content_sha256) return latest.code
  const code = api('GET /api/script-details-slug', { query: { slug: script.slug } }).then(
    (found) => found.script.script_content,
  )
  const request = { sha256: script.content_sha256, code }
  latest = request
  code.catch(() => {
    if (latest === request) latest = undefined
  })
  return code
}
