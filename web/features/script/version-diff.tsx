import { useState } from 'react'
import type { ScriptVersion } from '#contract/scripts.ts'
import { timeText } from '#web/lib/dates.ts'
import { CodeDiff } from '#web/shared/code-diff/code-diff.tsx'
import { Select } from '#web/ui/select.tsx'

/** Compares two versions, initially the newest and the one before. */
export function CompareView({ scriptId, versions }: { scriptId: number; versions: readonly ScriptVersion[] }) {
  const [from, setFrom] = useState(String(versions[1]?.number))
  const [to, setTo] = useState(String(versions[0]?.number))
  const options = nameVersions(versions)
  return (
    <section aria-label="Compare versions" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select label="From" value={from} options={options} onChange={setFrom} />
        <Select label="To" value={to} options={options} onChange={setTo} />
      </div>
      <CodeDiff scriptId={scriptId} from={Number(from)} to={Number(to)} />
    </section>
  )
}

/** The versions' names by number, with the time where several have the same name. */
function nameVersions(versions: readonly ScriptVersion[]): Record<string, string> {
  const isShared = ({ version }: ScriptVersion) => versions.filter((other) => other.version === version).length > 1
  return Object.fromEntries(
    versions.map((one) => [
      String(one.number),
      isShared(one) ? `${one.version} · ${timeText(one.created_at)}` : one.version,
    ]),
  )
}
