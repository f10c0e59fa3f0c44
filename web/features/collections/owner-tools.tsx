import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import ArrowUpDown from 'lucide-react/icons/arrow-up-down'
import GripVertical from 'lucide-react/icons/grip-vertical'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash'
import { type RefObject, useRef, useState } from 'react'
import { useNavigate, useRevalidator } from '#web/router/router.tsx'
import type { CollectionItem, CollectionPage } from '#contract/collections.ts'
import { MAX_COLLECTION_NOTE_LENGTH } from '#contract/limits.ts'
import { CollectionDialog } from '#web/shared/collections/collection-dialog.tsx'
import { collectionUrl } from '#web/shared/collections/collection-list.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useDragOrder } from '#web/ui/use-drag-order.ts'

interface Props {
  loaded: CollectionPage
  isArranging: boolean
  onArranging: (isArranging: boolean) => void
}

/** The owner's buttons, and the list in which they order the scripts and write notes. */
export function OwnerTools({ loaded, isArranging, onArranging }: Props) {
  const api = useApi()
  const run = useAction()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const { collection, items, pagination } = loaded
  const save = useSave()
  const editButton = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<'edit' | 'delete'>()
  const close = () => setOpened(undefined)
  const remove = async () => {
    await run(() => api('DELETE /api/collections', { query: { id: collection.id } }), {
      success: 'Collection deleted',
      failure: "Couldn't delete the collection",
    })
    await navigate('/collections')
  }
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {items.length > 0 && (
          <Button variant={isArranging ? 'primary' : 'secondary'} onClick={() => onArranging(!isArranging)}>
            <ArrowUpDown aria-hidden className="size-4" />
            {isArranging ? 'Done' : 'Order and notes'}
          </Button>
        )}
        <Button ref={editButton} aria-haspopup="dialog" onClick={() => setOpened('edit')}>
          <Pencil aria-hidden className="size-4" />
          Edit
        </Button>
        <Button aria-haspopup="dialog" onClick={() => setOpened('delete')}>
          <Trash2 aria-hidden className="size-4" />
          Delete
        </Button>
      </div>
      {isArranging && (
        <ArrangeList
          key={`${collection.id} ${pagination.page}`}
          loaded={loaded}
          onSave={save}
          buttonBefore={editButton}
        />
      )}
      {opened === 'edit' && (
        <CollectionDialog
          collection={collection}
          onSaved={({ slug }) =>
            void (slug === collection.slug ? revalidate() : navigate(collectionUrl(slug), { replace: true }))
          }
          onClose={close}
        />
      )}
      {opened === 'delete' && (
        <ConfirmDialog
          title={`Delete “${collection.name}”?`}
          text="The scripts themselves are not deleted."
          confirmLabel="Delete"
          busyLabel="Deleting..."
          onConfirm={remove}
          onClose={close}
        />
      )}
    </>
  )
}

type Save = (send: () => Promise<unknown>) => Promise<boolean>

/**
 * Returns a function that sends a change when the changes before it are saved, so that the server applies them in their
 * order. After the last one, it loads the collection again, also after an error, which undoes the change on the screen.
 * Resolves to whether this was the last one.
 */
function useSave(): Save {
  const { revalidate } = useRevalidator()
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return async (send) => {
    // A message says why a change failed.
    const saved = last.current.then(send).catch(() => undefined)
    last.current = saved
    await saved
    if (last.current === saved) await revalidate()
    return last.current === saved
  }
}

interface Placement {
  script_id: number
  /** Null for the end of the collection. */
  before_script_id: number | null
}

/** The changes, in their order, that give the item at `index` its place in `items`, one page of a collection. */
export function placementsAfter(items: readonly { script: { id: number } }[], index: number): Placement[] {
  const [previous, moved, following] = [items[index - 1], items[index], items[index + 1]]
  if (!moved) return []
  const script_id = moved.script.id
  if (following) return [{ script_id, before_script_id: following.script.id }]
  if (!previous) return [{ script_id, before_script_id: null }]
  // Unless this is the last page, its end is after the script that was last on it before.
  return [
    { script_id, before_script_id: previous.script.id },
    { script_id: previous.script.id, before_script_id: script_id },
  ]
}

interface ArrangeProps {
  loaded: CollectionPage
  onSave: Save
  /** Gets the focus when the last script is removed. */
  buttonBefore: RefObject<HTMLElement | null>
}

function ArrangeList({ loaded: { collection, items: loadedItems }, onSave, buttonBefore }: ArrangeProps) {
  const api = useApi()
  const run = useAction()
  // The order on the screen while changes are being saved.
  const [changedItems, setChangedItems] = useState<readonly CollectionItem[]>()
  const items = changedItems ?? loadedItems
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLOListElement>(null)

  const save = async (send: () => Promise<unknown>) => {
    if (await onSave(send)) setChangedItems(undefined)
  }
  const change = (script_id: number, fields: { note?: string | null; before_script_id?: number | null }) => {
    const body = { collection_id: collection.id, script_id, ...fields }
    return run(() => api('PUT /api/collection-items', { body }), {
      success: () => undefined,
      failure: "Couldn't save the change",
    })
  }
  const move = (from: number, to: number) => {
    const item = items[from]
    if (!item || from === to || to < 0 || to >= items.length) return
    const next = items.toSpliced(from, 1).toSpliced(to, 0, item)
    setChangedItems(next)
    setAnnouncement(`${item.script.title} is now ${to + 1} of ${items.length}.`)
    void save(async () => {
      for (const { script_id, before_script_id } of placementsAfter(next, to))
        await change(script_id, { before_script_id })
    })
  }
  useDragOrder(list, move)
  const remove = ({ script }: CollectionItem, row: Element | null) =>
    save(async () => {
      await run(
        () => api('DELETE /api/collection-items', { query: { collection_id: collection.id, script_id: script.id } }),
        { success: `Removed ${script.title}`, failure: `Couldn't remove ${script.title}` },
      )
      setChangedItems((current = loadedItems) => current.filter((each) => each.script.id !== script.id))
      // The pressed button is removed with its row.
      const next = row?.nextElementSibling ?? row?.previousElementSibling
      const button = next?.querySelector<HTMLElement>('[data-remove]') ?? buttonBefore.current
      button?.focus()
    })
  return (
    <section aria-labelledby="arrange" className="flex w-full basis-full flex-col gap-3">
      <h2 id="arrange" className="text-xl font-semibold">
        Order and notes
      </h2>
      <output className="sr-only">{announcement}</output>
      <ol ref={list} className="flex flex-col gap-2">
        {items.map((item, index) => (
          <ArrangeRow
            key={item.script.id}
            item={item}
            index={index}
            count={items.length}
            onMove={(to) => move(index, to)}
            onRemove={(row) => void remove(item, row)}
            onSaveNote={(note) => void save(() => change(item.script.id, { note }))}
          />
        ))}
      </ol>
    </section>
  )
}

interface RowProps {
  item: CollectionItem
  index: number
  /** Number of rows. */
  count: number
  onMove: (to: number) => void
  onRemove: (row: Element | null) => void
  onSaveNote: (note: string | null) => void
}

function ArrangeRow({ item, index, count, onMove, onRemove, onSaveNote }: RowProps) {
  const { title } = item.script
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-2 rounded-md border border-line bg-surface-1 p-2">
      <span draggable aria-hidden title="Drag to move" className="cursor-grab p-1 text-muted max-sm:hidden">
        <GripVertical className="size-5" />
      </span>
      <span className="w-8 shrink-0 text-right text-muted tabular-nums">{index + 1}.</span>
      <bdi className="min-w-0 flex-1 basis-40 truncate font-medium">{title}</bdi>
      <span className="flex">
        <IconButton
          icon={ArrowUp}
          label={`Move ${title} up`}
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        />
        <IconButton
          icon={ArrowDown}
          label={`Move ${title} down`}
          disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        />
        <IconButton
          icon={Trash2}
          label={`Remove ${title}`}
          data-remove
          onClick={({ currentTarget }) => onRemove(currentTarget.closest('li'))}
        />
      </span>
      <Note item={item} onSave={onSaveNote} />
    </li>
  )
}

/** Saved when the field loses the focus. */
function Note({ item, onSave }: { item: CollectionItem; onSave: (note: string | null) => void }) {
  const [note, setNote] = useState(item.note ?? '')
  return (
    <span className="w-full basis-full sm:pl-10">
      <TextInput
        aria-label={`Note on ${item.script.title}`}
        placeholder="Add a note"
        value={note}
        maxLength={MAX_COLLECTION_NOTE_LENGTH}
        onChange={setNote}
        onBlur={() => {
          if (note.trim() !== (item.note ?? '')) onSave(note.trim() || null)
        }}
      />
    </span>
  )
}
