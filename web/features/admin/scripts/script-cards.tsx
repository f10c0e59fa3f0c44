import type { AdminScript } from '#contract/admin.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { compactCount, fileSize, ratingText } from '#web/lib/numbers.ts'
import { CardList, SelectableCard } from '#web/features/admin/selectable-cards.tsx'
import { ScriptMenu } from './script-menu.tsx'
import { ScriptPills } from './script-pills.tsx'
import type { ScriptListProps } from './script-table.tsx'
import { ScriptThumb } from './script-thumb.tsx'

/** The table for little room: a card for each script. */
export function ScriptCards({ scripts, selection, isPending, onChoose }: ScriptListProps) {
  return (
    <CardList label="Scripts" selection={selection} isPending={isPending}>
      {scripts.map((script) => (
        <SelectableCard
          key={script.id}
          name={script.title}
          isSelected={selection.isSelected(script.id)}
          onToggle={() => selection.toggle(script.id)}
          title={<ScriptThumb script={script} />}
          menu={<ScriptMenu script={script} onChoose={(deed) => onChoose(script, deed)} />}
        >
          <Facts script={script} />
        </SelectableCard>
      ))}
    </CardList>
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
