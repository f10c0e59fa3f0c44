import { useEffect, useState } from 'react'
import type { ScriptVersion } from '#contract/scripts.ts'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { Comparison } from './compare.ts'
import { DiffTable } from './diff-table.tsx'

const loadCode = async (api: Api, id: number, number: number, signal: AbortSignal): Promise<string> =>
  (await api('GET /api/script-version', { query: { id, number }, signal })).version.script_content

/** What is different between two versions, at first the newest and the one before it. */
export function CompareView({ scriptId, versions }: { scriptId: number; versions: readonly ScriptVersion[] }) {
  const api = useApi()
  const [from, setFrom] = useState(String(versions[1]?.number))
  const [to, setTo] = useState(String(versions[0]?.number))
  const [found, setFound] = useState<{ of: string; comparison: Comparison | undefined }>()
  const pair = `${from}:${to}`
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const load = async () => {
      const [{ compare }, older, newer] = await Promise.all([
        import('./compare.ts'),
        loadCode(api, scriptId, Number(from), signal),
        loadCode(api, scriptId, Number(to), signal),
      ])
      if (!signal.aborted) setFound({ of: pair, comparison: compare(older, newer) })
    }
    load().catch(() => !signal.aborted && setFound({ of: pair, comparison: undefined }))
    return () => leaving.abort()
  }, [api, scriptId, from, to, pair])
  const options = Object.fromEntries(
    versions.map(({ number, version }) => [String(number), `${version} (number ${number})`]),
  )
  const shown = found?.of === pair ? found : undefined
  return (
    <section aria-label="Compare versions" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select label="From" value={from} options={options} onChange={setFrom} />
        <Select label="To" value={to} options={options} onChange={setTo} />
      </div>
      {!shown && <Skeleton className="h-40" />}
      {shown && !shown.comparison && <p className="text-danger">The versions could not be compared.</p>}
      {shown?.comparison && <DiffTable comparison={shown.comparison} />}
    </section>
  )
}
