import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import type { Script } from '#contract/scripts.ts'
import { useApi } from '#web/lib/api-context.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { downloadFile } from '#web/lib/download-file.ts'
import { Button } from '#web/ui/button.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { loadCode } from './copy-script.tsx'

interface Props {
  script: Pick<Script, 'slug' | 'content_sha256'>
  className?: string | undefined
}

/** Saves the code of a script that visitors cannot see: a plain link would send no session. */
export function PrivateDownload({ script, className = '' }: Props) {
  const api = useApi()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      downloadFile(`${script.slug}.luau`, await loadCode(api, script), 'text/plain')
    } catch (error) {
      toast({ title: "Couldn't download the script", text: describeError(error), tone: 'error' })
    }
    setBusy(false)
  }
  return (
    <Button disabled={isBusy} onClick={() => void save()} className={className}>
      <Download aria-hidden className="size-4" />
      Download
    </Button>
  )
}
