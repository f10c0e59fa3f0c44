import type { Script } from '#contract/scripts.ts'
import { useApi } from '#web/lib/api-context.ts'
import { CopyButton } from './copy-button.tsx'
import { loadWholeCode } from './whole-code.ts'

const failure = { title: 'The script could not be copied', text: 'Please try again, or download it instead.' }

interface CopyScriptProps {
  script: Pick<Script, 'id' | 'slug' | 'content_sha256'>
  variant?: 'primary' | 'secondary' | 'ghost'
  size?: 'sm' | 'md'
  label?: string
  className?: string
}

/** Copies the whole script, not its preview alone. A copy counts as a download. */
export function CopyScript({ script, label = 'Copy', ...look }: CopyScriptProps) {
  const api = useApi()
  const count = () => {
    api('POST /api/script-download', { body: { script_id: script.id } }).catch(() => undefined)
  }
  return (
    <CopyButton label={label} load={() => loadWholeCode(api, script)} failure={failure} onCopied={count} {...look} />
  )
}
