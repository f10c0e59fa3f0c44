import { useEffect, useState } from 'react'
import { MarkdownText } from '#web/shared/markdown/markdown-text.tsx'
import { PrivacyText } from '#web/shared/privacy-text.tsx'
import { TermsText } from '#web/shared/terms-text.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const TITLES = { privacy: 'Privacy Policy', terms: 'Terms of Service' }
const DEFAULT_TEXTS = { privacy: PrivacyText, terms: TermsText }

export function LegalDialog({ which, onClose }: { which: 'privacy' | 'terms'; onClose: () => void }) {
  const text = useText(which)
  const DefaultText = DEFAULT_TEXTS[which]
  return (
    <Dialog title={TITLES[which]} onClose={onClose}>
      {text === undefined && <Skeleton className="h-96" />}
      {text === null && <DefaultText heading="h3" />}
      {text && <MarkdownText text={text} className="leading-relaxed" />}
    </Dialog>
  )
}

/** The text that admins wrote: undefined while loading, null if the site uses the default one. */
function useText(name: 'privacy' | 'terms'): string | null | undefined {
  const api = useApi()
  const [text, setText] = useState<string | null>()
  useEffect(() => {
    const { signal, abort } = createAbort()
    api('GET /api/site-text', { query: { name }, signal }).then(
      (found) => setText(found.text),
      () => {
        // The page has the text, too, and says what went wrong.
        if (!signal.aborted) location.assign(`/${name}`)
      },
    )
    return abort
  }, [api, name])
  return text
}

function createAbort() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
