import type { AdminScript } from '#contract/admin.ts'
import { RelativeTime } from '#web/components/relative-time.tsx'
import { compactCount, fileSize, fullCount, ratingText } from '#web/lib/numbers.ts'
import { SelectBox } from '#web/features/admin/select-box.tsx'
import { cell, numberCell, Head, Table } from '#web/features/admin/table.tsx'
import type { Selection } from '#web/features/admin/use-selection.ts'
import type { ScriptAction } from './script-actions.ts'
import { ScriptMenu } from './script-menu.tsx'
import { ScriptPills } from './script-pills.tsx'
import { ScriptThumb } from './script-thumb.tsx'

export interface ScriptListProps {
  scripts: readonly AdminScript[]
  selection: Selection<AdminScript>
  isPending: boolean
  onChoose: (script: AdminScript, deed: ScriptAction) => void
}

export function ScriptTable({ scripts, selection, isPending, onChoose }: ScriptListProps) {
  return (
    <Table
      label="Scripts"
      isPending={isPending}
      head={
        <>
          <Head>
            <SelectBox label="Select all" isChecked={selection.isAll} onToggle={selection.toggleAll} />
          </Head>
          <Head>Script</Head>
          <Head isFigure>Size</Head>
          <Head isFigure>Views</Head>
          <Head isFigure>Downloads</Head>
          <Head isFigure>Rating</Head>
          <Head>Status</Head>
          <Head>Created</Head>
          <Head>
            <span className="sr-only">Actions</span>
          </Head>
        </>
      }
    >
      {scripts.map((script) => (
        <tr key={script.id} aria-selected={selection.isSelected(script.id)} className="aria-selected:bg-accent-soft">
          <td className={`${cell} w-10`}>
            <SelectBox
              label={`Select ${script.title}`}
              isChecked={selection.isSelected(script.id)}
              onToggle={() => selection.toggle(script.id)}
            />
          </td>
          <td className={`${cell} w-full max-w-0 min-w-52`}>
            <ScriptThumb script={script} />
          </td>
          <td className={`${numberCell} whitespace-nowrap`}>{fileSize(script.file_size)}</td>
          <td className={numberCell} title={fullCount(script.view_count)}>
            {compactCount(script.view_count)}
          </td>
          <td className={numberCell} title={fullCount(script.download_count)}>
            {compactCount(script.download_count)}
          </td>
          <td className={`${numberCell} whitespace-nowrap`}>{ratingText(script.rating_average)}/5</td>
          <td className={cell}>
            <ScriptPills script={script} />
          </td>
          <td className={`${cell} min-w-20 lg:whitespace-nowrap`}>
            <RelativeTime iso={script.created_at} />
          </td>
          <td className={`${cell} w-12`}>
            <ScriptMenu script={script} onChoose={(deed) => onChoose(script, deed)} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
