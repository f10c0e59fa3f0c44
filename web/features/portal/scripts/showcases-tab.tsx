import { useState } from 'react'
import { Link, useRevalidator } from '#web/router/router.tsx'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Sparkles from 'lucide-react/icons/sparkles'
import type { AdminScript } from '#contract/admin.ts'
import { MAX_SHOWCASE_NOTES_LENGTH, MAX_URL_LENGTH } from '#contract/limits.ts'
import type { ResultOf } from '#contract/operations.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { ScriptCover } from '#web/shared/cards/script-cover.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { dayText } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Field } from '#web/ui/field.tsx'
import { Pagination } from '#web/ui/pagination.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { readListQuery, useListQuery } from '#web/features/portal/list-query.ts'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { ListCount, LoadError, SearchField, TabSkeleton } from '#web/features/portal/tab-parts.tsx'

const PAGE_SIZE = 24
const QUERY = { search: [], showcased: ['', 'true'] } as const

export const loader = createLoader(
  (api, { query, signal }) => {
    const { search, page, showcased } = readListQuery(query, QUERY)
    const filter = showcased ? { showcased } : {}
    return api('GET /api/admin-scripts', { query: { search, page, limit: PAGE_SIZE, ...filter }, signal })
  },
  { errorTitle: 'Failed to fetch scripts' },
)

export function Component() {
  const { values, change, hrefOfPage } = useListQuery(QUERY)
  const { data, error, isPending, reload } = useTabData<ResultOf<'GET /api/admin-scripts'>>()
  const [edited, setEdited] = useState<AdminScript>()
  const { scripts = [], pagination } = data ?? {}

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <SearchField
          label="Search by title or author"
          value={values.search}
          onSearch={(search) => change({ search })}
        />
        <Switch
          label="Showcased Only"
          isOn={values.showcased === 'true'}
          onChange={(isOn) => change({ showcased: isOn ? 'true' : '' })}
        />
      </div>
      <ListCount pagination={pagination} singular="script" plural="scripts" />
      {error && <LoadError text={error} onRetry={reload} />}
      {!data && !error && <TabSkeleton />}
      {scripts.length > 0 && (
        <ul
          aria-label="Scripts"
          aria-busy={isPending}
          className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,18rem),1fr))] gap-4 ${isPending ? 'opacity-60' : ''}`}
        >
          {scripts.map((script) => (
            <li key={script.id} className="flex min-w-0">
              <ShowcaseCard script={script} onEdit={() => setEdited(script)} />
            </li>
          ))}
        </ul>
      )}
      {data && scripts.length === 0 && (
        <EmptyState
          icon={Sparkles}
          title={values.showcased ? 'No showcased scripts' : 'No scripts found'}
          text="No scripts match. Try another search, or show all scripts."
        />
      )}
      {pagination && <Pagination page={pagination.page} pages={pagination.pages} hrefOf={hrefOfPage} />}
      {edited && <EditShowcaseDialog script={edited} onClose={() => setEdited(undefined)} />}
    </div>
  )
}

function ShowcaseCard({ script, onEdit }: { script: AdminScript; onEdit: () => void }) {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  // Optimistic: the switch changes immediately, and back if the request fails.
  const [pendingValue, setPendingValue] = useState<boolean>()
  const toggle = async (isOn: boolean) => {
    if (pendingValue !== undefined) return
    setPendingValue(isOn)
    const body = { script_id: script.id }
    try {
      await run(() => (isOn ? api('POST /api/showcases', { body }) : api('DELETE /api/showcases', { body })), {
        success: isOn ? 'Script added to showcase' : 'Script removed from showcase',
        failure: 'Failed to update showcase status',
      })
    } catch {
      // The toast has reported it.
    }
    await revalidate()
    setPendingValue(undefined)
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
        {script.is_showcased && <ShowcaseDetails script={script} />}
        <div className="mt-auto border-t border-line pt-1">
          <Switch label="Showcased" isOn={pendingValue ?? script.is_showcased} onChange={(isOn) => void toggle(isOn)} />
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

function ShowcaseDetails({ script }: { script: AdminScript }) {
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

function EditShowcaseDialog({ script, onClose }: { script: AdminScript; onClose: () => void }) {
  const api = useApi()
  const run = useAction()
  const { revalidate } = useRevalidator()
  const [video, setVideo] = useState(script.showcase_video_url ?? '')
  const [date, setDate] = useState(script.showcase_date?.slice(0, 10) ?? '')
  const [notes, setNotes] = useState(script.showcase_notes ?? '')
  const save = async () => {
    const body = {
      script_id: script.id,
      showcase_video_url: video.trim(),
      showcase_notes: notes,
      // The stored date has a time of day, which an unchanged field would reset.
      ...(date && date !== script.showcase_date?.slice(0, 10) ? { showcase_date: date } : {}),
    }
    await run(() => api('PUT /api/showcases', { body }), {
      success: 'Showcase details updated successfully',
      failure: 'Failed to update showcase details',
    })
    void revalidate()
  }
  return (
    <FormDialog
      title="Edit Showcase Details"
      submitLabel="Save changes"
      busyLabel="Saving..."
      onSubmit={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p className="text-muted wrap-anywhere">
            <bdi>{script.title}</bdi>
          </p>
          <Field name="showcase_video_url" label="YouTube video URL" error={errors['showcase_video_url']}>
            {(aria) => (
              <TextInput
                {...aria}
                type="url"
                value={video}
                maxLength={MAX_URL_LENGTH}
                placeholder="https://www.youtube.com/watch?v=..."
                onChange={setVideo}
              />
            )}
          </Field>
          <Field name="showcase_date" label="Showcase date" error={errors['showcase_date']}>
            {(aria) => <TextInput {...aria} type="date" value={date} onChange={setDate} />}
          </Field>
          <Field name="showcase_notes" label="Notes" error={errors['showcase_notes']}>
            {(aria) => <TextArea {...aria} value={notes} maxLength={MAX_SHOWCASE_NOTES_LENGTH} onChange={setNotes} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
