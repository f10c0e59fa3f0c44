import type { AdminScript } from '#contract/admin.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { compactCount, fileSize, ratingText } from '#web/lib/numbers.ts'
import { SelectBox } from '../select-box.tsx'
import { ScriptMenu } from './script-menu.tsx'
import { ScriptPills } from './script-pills.tsx'
import type { ScriptListProps } from './script-table.tsx'
import { ScriptThumb } from './script-thumb.tsx'

/** The table for little room: a card for each script. */
export function ScriptCards({ scripts, selection, isPending, onChoose }: ScriptListProps) {
  return (
    <div className="flex flex-col gap-2" aria-busy={isPending}>
      <p className="flex items-center gap-3 pl-3 text-muted">
        <SelectBox label="Select all" isChecked={selection.isAll} onToggle={selection.toggleAll} />
        <span aria-hidden>Select all</span>
      </p>
      <ul aria-label="Scripts" className={`flex flex-col gap-2 ${isPending ? 'opacity-60' : ''}`}>
        {scripts.map((script) => (
          <li
            key={script.id}
            className={`flex flex-col gap-3 rounded-md border border-line p-3 ${selection.isSelected(script.id) ? 'bg-accent-soft' : 'bg-surface-1'}`}
          >
            <div className="flex items-start gap-3">
              <SelectBox
                label={`Select ${script.title}`}
                isChecked={selection.isSelected(script.id)}
                onToggle={() => selection.toggle(script.id)}
              />
              <div className="min-w-0 flex-1">
                <ScriptThumb script={script} />
              </div>
              <ScriptMenu script={script} onChoose={(deed) => onChoose(script, deed)} />
            </div>
            <Facts script={script} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Facts({ script }: { script: AdminScript }) {
  return (
    <>
      <ScriptPills script={script} />
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted tabular-nums">
        <span>{fileSize(script.file_size)}</span>
        <span>{compactCount(script.view_count)} views</span>
        <span>{compactCount(script.download_count)} downloads</span>
        <span>{ratingText(script.rating_average)}/5</span>
        <RelativeTime iso={script.created_at} />
      </p>
    </>
  )
}
