import { isLongerThan } from '@scriptyard/text'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useId, useRef, useState } from 'react'
import { Link, useRevalidator } from '#web/router/router.tsx'
import { MAX_WORKS_NOTE_LENGTH } from '#contract/limits.ts'
import type { Works, WorksNote, WorksSummary, WorksVote } from '#contract/works.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { SignInGate } from '#web/shared/sign-in/sign-in-gate.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { PageScript } from './script-details.ts'

/** Whether members say that the current version works, the member's own vote, and for the author the notes. */
export function WorksPanel({ script, works: loaded }: { script: PageScript; works: Works }) {
  const id = useId()
  const { works, vote, remove, isBusy } = useWorks(script.id, loaded)
  const user = useUser()
  const { summary, own_vote: own, notes } = works
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 rounded-md border border-line bg-surface-1 p-4">
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-sm font-semibold">
          Does it work?
        </h2>
        {summary.works_now && (
          <span className="inline-flex min-h-6 items-center gap-1.5 rounded-sm bg-success-soft px-2 text-xs font-medium text-success">
            <CircleCheck aria-hidden className="size-3.5" />
            Works now
          </span>
        )}
      </div>
      <Summary summary={summary} />
      {user?.id === script.author_id ? (
        <Notes notes={notes} />
      ) : (
        <SignInGate label="Vote" signInLabel="Sign in to vote" className="w-full">
          {() => <OwnVote key={own?.voted_at} own={own} isBusy={isBusy} onVote={vote} onRemove={remove} />}
        </SignInGate>
      )}
    </section>
  )
}

/** Fewer votes say little about others. */
const MIN_ESTIMATED = 5

const barColor = (share: number) => (share < 0.4 ? 'fill-danger' : share < 0.7 ? 'fill-warning' : 'fill-success')

/** The share of people for whom it works at least, as a sentence; empty below a tenth. */
function estimate(score: number): string {
  const tenths = Math.floor(score * 10)
  if (tenths === 0) return ''
  return `Probably works for ${tenths % 2 === 0 ? `${tenths / 2} in 5` : `${tenths} in 10`} people. `
}

function Summary({ summary: { works, total, new_votes, score, version } }: { summary: WorksSummary }) {
  return (
    <div className="flex flex-col gap-1" aria-live="polite">
      {total > 0 ? (
        <>
          <p className="font-medium tabular-nums">
            Works for {fullCount(works)} of {fullCount(total)} this week
          </p>
          <svg
            viewBox="0 0 100 4"
            preserveAspectRatio="none"
            aria-hidden
            className="my-1 h-1.5 w-full rounded-full bg-surface-3"
          >
            <rect height="4" width={(100 * works) / total} className={barColor(works / total)} />
          </svg>
        </>
      ) : (
        <p className="text-muted">No votes this week.</p>
      )}
      <p className="text-sm text-muted empty:hidden">
        {score !== null && total >= MIN_ESTIMATED && estimate(score)}
        {total > 0 && (
          <>
            Votes for version <bdi className="wrap-anywhere">{version}</bdi>.
          </>
        )}
        {new_votes > 0 && (
          <>
            {' '}
            {fullCount(new_votes)} more {new_votes === 1 ? 'vote' : 'votes'} by new members{' '}
            {new_votes === 1 ? 'counts' : 'count'} little.
          </>
        )}
      </p>
    </div>
  )
}

interface VoteInput {
  works: boolean
  note: string
}

interface OwnVoteProps {
  own: WorksVote | null
  isBusy: boolean
  /** Resolves to whether the vote was saved. */
  onVote: (input: VoteInput) => Promise<boolean>
  onRemove: () => void
}

function OwnVote({ own, isBusy, onVote, onRemove }: OwnVoteProps) {
  const [isNoting, setNoting] = useState(false)
  // The same choice again renews the vote and keeps its note.
  const choose = (works: boolean) => void onVote({ works, note: own?.works === works ? (own.note ?? '') : '' })
  return (
    <div className="flex flex-col gap-3">
      <div role="group" aria-label="Your vote" className="grid grid-cols-2 gap-2">
        {([true, false] as const).map((works) => (
          <Button
            key={String(works)}
            aria-pressed={own?.works === works}
            aria-disabled={isBusy}
            onClick={() => !isBusy && choose(works)}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
          >
            {works ? 'Works' : "Doesn't work"}
          </Button>
        ))}
      </div>
      {own && !isNoting && (
        <div className="flex flex-col gap-1 text-sm text-muted">
          <p>
            You voted <RelativeTime iso={own.voted_at} />.{' '}
            {own.is_new_member && 'Your votes count fully 30 days after you joined.'}
          </p>
          {own.note && (
            <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-text">
              {own.note}
            </p>
          )}
          <div className="-mx-3 flex flex-wrap">
            <Button size="sm" variant="ghost" onClick={() => setNoting(true)}>
              {own.note ? 'Edit note' : 'Add a note'}
            </Button>
            <Button size="sm" variant="ghost" aria-disabled={isBusy} onClick={() => !isBusy && onRemove()}>
              Remove vote
            </Button>
          </div>
        </div>
      )}
      {own && isNoting && (
        <WorksNoteForm
          note={own.note ?? ''}
          isBusy={isBusy}
          onSave={(note) => void onVote({ works: own.works, note }).then((isSaved) => isSaved && setNoting(false))}
          onCancel={() => setNoting(false)}
        />
      )}
    </div>
  )
}

interface WorksNoteProps {
  note: string
  isBusy: boolean
  onSave: (note: string) => void
  onCancel: () => void
}

function WorksNoteForm({ note: initial, isBusy, onSave, onCancel }: WorksNoteProps) {
  const [note, setNote] = useState(initial)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus(), [])
  const isTooLong = isLongerThan(note.trim(), MAX_WORKS_NOTE_LENGTH)
  return (
    <form
      ref={form}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isTooLong && !isBusy) onSave(note)
      }}
    >
      <Field
        name="note"
        label="Note"
        help="Only the author reads it, with your name."
        error={isTooLong ? `Notes can have at most ${MAX_WORKS_NOTE_LENGTH} characters.` : undefined}
      >
        {(aria) => <TextArea {...aria} rows={3} value={note} onChange={setNote} />}
      </Field>
      <div className="flex gap-2">
        <Button type="submit" size="sm" variant="primary" aria-disabled={isBusy}>
          Save note
        </Button>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** The notes of voters, for the author. Null until they are loaded. */
function Notes({ notes }: { notes: WorksNote[] | null }) {
  if (!notes || notes.length === 0) return null
  return (
    <ul aria-label="Notes" className="flex max-h-80 flex-col divide-y divide-line overflow-y-auto border-t border-line">
      {notes.map(({ id, works, note, member_name, member_slug, voted_at }) => (
        <li key={id} className="flex flex-col gap-1 py-2.5 text-sm">
          <p className="flex flex-wrap items-center gap-x-2 text-muted">
            {member_slug ? (
              <Link
                to={`/profile/${encodeURIComponent(member_slug)}`}
                className="font-medium text-text hover:underline"
              >
                <bdi>{member_name}</bdi>
              </Link>
            ) : (
              member_name
            )}
            <span className={works ? 'text-success' : 'text-danger'}>{works ? 'Works' : "Doesn't work"}</span>
            <RelativeTime iso={voted_at} />
          </p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {note}
          </p>
        </li>
      ))}
    </ul>
  )
}

/** The votes as rendered for visitors, then as loaded for the member. */
function useWorks(id: number, initial: Works) {
  const api = useApi()
  const toast = useToast()
  const user = useUser()
  const { revalidate } = useRevalidator()
  const [own, setOwn] = useState<{ initial: Works; works: Works }>()
  const [isBusy, setBusy] = useState(false)
  const memberId = user?.id

  useEffect(() => {
    if (memberId === undefined) return undefined
    const controller = new AbortController()
    api('GET /api/works-votes', { query: { id }, signal: controller.signal }).then(
      (works) => setOwn({ initial, works }),
      // Voting works even if the member's own vote is unknown.
      () => undefined,
    )
    return () => controller.abort()
  }, [api, id, memberId, initial])

  const send = async (request: () => Promise<Works>, message: string): Promise<boolean> => {
    setBusy(true)
    try {
      const works = await request()
      setOwn({ initial, works })
      toast({ title: message, tone: 'success' })
      return true
    } catch (error) {
      toast({ title: "Couldn't save your vote", text: describeError(error), tone: 'error' })
      // Another version may be current by now.
      void revalidate()
      return false
    } finally {
      setBusy(false)
    }
  }
  const works = own && memberId !== undefined ? own.works : initial
  const { version_number } = works.summary
  return {
    works,
    isBusy,
    vote: (input: VoteInput) =>
      send(
        () =>
          api('POST /api/works-votes', { body: { script_id: id, version_number, ...input, note: input.note || null } }),
        'Vote saved',
      ),
    remove: () => void send(() => api('DELETE /api/works-votes', { query: { id } }), 'Vote removed'),
  }
}
