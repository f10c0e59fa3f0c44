import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AdminScript } from '#contract/admin.ts'
import { ScriptCover } from '#web/components/script-cover.tsx'
import { useAction } from '#web/components/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { dayText } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/switch.tsx'

/** A script, whether it is showcased, and what its showcase says. */
export function ShowcaseCard({
  script,
  onEdit,
  onDone,
}: {
  script: AdminScript
  onEdit: () => void
  onDone: () => Promise<unknown>
}) {
  const api = useApi()
  const deed = useAction()
  // Moves at once, and back where it did not come about.
  const [wanted, setWanted] = useState<boolean>()
  const toggle = async (isOn: boolean) => {
    if (wanted !== undefined) return
    setWanted(isOn)
    const body = { script_id: script.id }
    try {
      await deed(() => (isOn ? api('POST /api/showcases', { body }) : api('DELETE /api/showcases', { body })), {
        success: isOn ? 'Script added to showcase' : 'Script removed from showcase',
        failure: 'Failed to update showcase status',
      })
    } catch {
      // It has been told.
    }
    await onDone()
    setWanted(undefined)
  }
  return (
    <article className="flex w-full min-w-0 flex-col overflow-hidden rounded-md border border-line bg-surface-1">
      <div aria-hidden className="aspect-video overflow-hidden border-b border-line bg-surface-2">
        <ScriptCover title={script.title} src={script.image_card} width={640} height={360} />
      </div>
      <div className="flex flex-1 flex-col gap-2 p-3">
        <h3 className="font-semibold wrap-anywhere">
          <Link to={`/scripts/${encodeURIComponent(script.slug)}`} className="hover:text-accent hover:underline">
            <bdi>{script.title}</bdi>
          </Link>
        </h3>
        <p className="truncate text-sm text-muted">
          by <bdi>{script.author_name}</bdi>
        </p>
        {script.is_showcased && <Details script={script} />}
        <div className="mt-auto border-t border-line pt-1">
          <Switch label="Showcased" isOn={wanted ?? script.is_showcased} onChange={(isOn) => void toggle(isOn)} />
          {script.is_showcased && (
            <Button size="sm" onClick={onEdit} className="mt-1 w-full">
              <Pencil aria-hidden className="size-4" />
              Edit details<span className="sr-only"> of {script.title}</span>
            </Button>
          )}
        </div>
      </div>
    </article>
  )
}

function Details({ script }: { script: AdminScript }) {
  const { showcase_date, showcase_video_url, showcase_notes } = script
  return (
    <>
      {showcase_date && <p className="text-sm text-muted">Showcased {dayText(showcase_date)}</p>}
      {showcase_video_url && (
        <a
          href={showcase_video_url}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-11 items-center gap-1.5 self-start text-accent hover:underline sm:min-h-6"
        >
          <Play aria-hidden className="size-4" />
          Video<span className="sr-only"> of {script.title} on YouTube</span>
        </a>
      )}
      {showcase_notes && (
        <p dir="auto" className="line-clamp-3 wrap-anywhere">
          {showcase_notes}
        </p>
      )}
    </>
  )
}
