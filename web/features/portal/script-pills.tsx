import type { AdminScript } from '#contract/admin.ts'
import { Pill } from '#web/ui/pill.tsx'

export function ScriptPills({ script }: { script: AdminScript }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {script.is_featured && <Pill tone="accent">Featured</Pill>}
      {script.is_verified && <Pill tone="success">Verified</Pill>}
      {script.is_hidden ? (
        <Pill tone="danger">Hidden</Pill>
      ) : (
        <Pill tone={script.is_public ? 'neutral' : 'warning'}>
          {script.is_public ? (script.is_unlisted ? 'Unlisted' : 'Public') : 'Private'}
        </Pill>
      )}
      {script.is_author_banned && <Pill tone="danger">Author banned</Pill>}
    </span>
  )
}
