import type { Script } from '#contract/scripts.ts'
import type { Api } from '#web/lib/client.ts'

let latest: { sha256: string; code: Promise<string> } | undefined

/** The whole code of a script. Asked for again it is there at once, so a hand that nears the button may ask early. */
export function loadWholeCode(api: Api, script: Pick<Script, 'slug' | 'content_sha256'>): Promise<string> {
  if (latest?.sha256 === script.content_sha256) return latest.code
  const code = api('GET /api/script-details-slug', { query: { slug: script.slug } }).then(
    (found) => found.script.script_content,
  )
  const asked = { sha256: script.content_sha256, code }
  latest = asked
  // What failed is asked for again the next time.
  code.catch(() => {
    if (latest === asked) latest = undefined
  })
  return code
}
