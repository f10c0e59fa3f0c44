import type { Script } from '#contract/scripts.ts'
import { CopyButton, type LookProps } from '#web/ui/copy-button.tsx'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'

const scriptFailure = { title: "Couldn't copy the script", text: 'Please try again, or download it instead.' }

type CopyScriptProps = LookProps & { script: Pick<Script, 'id' | 'slug' | 'content_sha256'> }

/** Copies the whole script. Counts as a download. */
export function CopyScript({ script, ...look }: CopyScriptProps) {
  const api = useApi()
  const countDownload = () => {
    api('POST /api/script-download', { body: { script_id: script.id } }).catch(() => undefined)
  }
  return <CopyButton {...look} load={() => loadCode(api, script)} failure={scriptFailure} onCopied={countDownload} />
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
