import Info from 'lucide-react/icons/info'
import { useEffect, useState } from 'react'
import type { Script } from '#contract/scripts.ts'
import { Link } from '#web/router/router.tsx'
import { newVersionPath } from '#web/shared/script-paths.ts'
import { useApi } from '#web/lib/api-context.ts'

/** Says before the author writes a version that only trusted builds may publish it. Empty otherwise. */
export function OnlyBuildsNotice({ script }: { script: Pick<Script, 'id' | 'slug'> }) {
  const api = useApi()
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    // Without an answer, publishing says the same.
    api('GET /api/trusted-publishers', { query: { id: script.id } }).then(
      ({ only_builds }) => setOn(only_builds),
      () => undefined,
    )
  }, [api, script.id])
  if (!isOn) return null
  return (
    <p className="flex items-start gap-3 rounded-md border border-line bg-surface-1 p-4">
      <Info aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />
      <span>
        Only trusted builds may publish versions of this script, so code from this form is rejected. You can change that
        under{' '}
        <Link to={newVersionPath(script, 'repository')} className="underline hover:text-accent">
          From a repository
        </Link>
        .
      </span>
    </p>
  )
}
