import Flag from 'lucide-react/icons/flag'
import Ellipsis from 'lucide-react/icons/ellipsis'
import EyeOff from 'lucide-react/icons/eye-off'
import Pencil from 'lucide-react/icons/pencil'
import Reply from 'lucide-react/icons/reply'
import Trash from 'lucide-react/icons/trash'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Comment } from '#contract/comments.ts'
import { COMMENT_SLOW_SECONDS, MAX_COMMENT_LENGTH } from '#contract/limits.ts'
import { HideDialog, ReportDialog } from '#web/shared/report/report-dialogs.tsx'
import { useAction } from '#web/shared/use-action.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useUser } from '#web/lib/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { Menu, MenuAction } from '#web/ui/menu.tsx'
import { Select } from '#web/ui/select.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { CODE_HINT } from '#web/shared/markdown/code-hint.ts'
import { HelpfulButton } from '#web/shared/helpful-button.tsx'
import type { Comments } from './use-comments.ts'

interface FormProps {
  comments: Comments
  onClose?: () => void
}
type Target = { scriptId: number; replyTo?: Comment; edited?: undefined } | { edited: Comment }

/** The form for a new comment, a reply, or a changed comment. */
export function CommentForm({ comments, onClose, ...target }: FormProps & Target) {
  const api = useApi()
  const run = useAction()
  const edited = target.edited
  const replyTo = edited ? undefined : (target as { replyTo?: Comment }).replyTo
  const [text, setText] = useState(edited?.text ?? '')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const focus = () => form.current?.querySelector('textarea')?.focus()
  const isOpenedByMember = onClose !== undefined
  useEffect(() => {
    if (isOpenedByMember) form.current?.querySelector('textarea')?.focus()
  }, [isOpenedByMember])

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setError(text.trim() ? undefined : 'Write something first.')
    if (!text.trim()) return focus()
    setBusy(true)
    try {
      const { comment } = await run(() => save(), { success: ({ message }) => message, failure: 'Failed to save' })
      comments.put(comment)
      setText('')
      onClose?.()
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.fields['text'] : undefined)
    }
    setBusy(false)
  }
  const save = () => {
    if (edited) return api('PUT /api/script-comment', { query: { id: edited.id }, body: { text } })
    const { scriptId } = target as { scriptId: number }
    const body = { text, ...(replyTo ? { parent_id: replyTo.id } : {}) }
    return api('POST /api/script-comments', { query: { id: scriptId }, body })
  }
  const label = edited ? 'Edit your comment' : replyTo ? `Reply to ${replyTo.author_name}` : 'Write a comment'
  return (
    <form ref={form} noValidate onSubmit={(event) => void send(event)} className="flex max-w-prose flex-col gap-3">
      <Field
        name="text"
        label={label}
        help={edited || replyTo ? undefined : `${CODE_HINT} Mention a member with @name.`}
        error={error}
        aside={text.length > MAX_COMMENT_LENGTH / 2 && `${fullCount(text.length)} / ${fullCount(MAX_COMMENT_LENGTH)}`}
      >
        {(aria) => (
          <TextArea {...aria} value={text} onChange={setText} maxLength={MAX_COMMENT_LENGTH} className="max-h-96" />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" aria-disabled={isBusy} className="min-w-28 max-sm:flex-1">
          {isBusy ? 'Saving...' : edited ? 'Save' : replyTo ? 'Reply' : 'Comment'}
        </Button>
        {onClose && (
          <Button disabled={isBusy} onClick={onClose} className="max-sm:flex-1">
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}

interface ToolsProps {
  comment: Comment
  comments: Comments
  onReply: ((comment: Comment) => void) | undefined
  onEdit: () => void
}

/** The actions of members below a comment. */
export function CommentTools({ comment, comments, onReply, onEdit }: ToolsProps) {
  const api = useApi()
  const run = useAction()
  const user = useUser()
  const [dialog, setDialog] = useState<'delete' | 'report' | 'hide'>()
  const close = () => setDialog(undefined)
  const { id, is_own, state, author_name } = comment
  const subject = { type: 'comment' as const, id, title: `Comment by ${author_name}` }
  const canHide = !is_own && state === 'published' && user !== undefined && (user.is_moderator || user.is_admin)
  const remove = async () => {
    await run(() => api('DELETE /api/script-comment', { query: { id } }), {
      success: ({ message }) => message,
      failure: 'Failed to delete the comment',
    })
    comments.remove(comment)
  }
  return (
    <div className="-ml-3 flex flex-wrap items-center gap-1">
      {state === 'published' && (
        <HelpfulButton
          subject={{ type: 'comment', id }}
          name={author_name}
          isOwn={is_own}
          isHelpful={comment.is_helpful}
          count={comment.helpful_count}
          onChanged={(is_helpful, helpful_count) => comments.put({ ...comment, is_helpful, helpful_count })}
        />
      )}
      {onReply && state === 'published' && (
        <Button size="sm" variant="ghost" aria-label={`Reply to ${author_name}`} onClick={() => onReply(comment)}>
          <Reply aria-hidden className="size-4" />
          Reply
        </Button>
      )}
      <Menu
        label={`More about the comment by ${author_name}`}
        button={<Ellipsis aria-hidden className="size-5" />}
        buttonClass={iconButtonClass}
      >
        {is_own && state !== 'hidden' && (
          <MenuAction icon={Pencil} onSelect={onEdit}>
            Edit
          </MenuAction>
        )}
        {is_own && (
          <MenuAction icon={Trash} tone="danger" onSelect={() => setDialog('delete')}>
            Delete
          </MenuAction>
        )}
        {!is_own && (
          <MenuAction icon={Flag} onSelect={() => setDialog('report')}>
            Report
          </MenuAction>
        )}
        {canHide && (
          <MenuAction icon={EyeOff} tone="danger" onSelect={() => setDialog('hide')}>
            Hide
          </MenuAction>
        )}
      </Menu>
      {dialog === 'delete' && (
        <ConfirmDialog
          title="Delete this comment?"
          text="Replies to it stay. You can't undo this."
          confirmLabel="Delete"
          busyLabel="Deleting..."
          onConfirm={remove}
          onClose={close}
        />
      )}
      {dialog === 'report' && <ReportDialog subject={subject} onClose={close} />}
      {dialog === 'hide' && (
        <HideDialog subject={subject} onHidden={() => comments.put({ ...comment, state: 'hidden' })} onClose={close} />
      )}
    </div>
  )
}

const SLOW_LABELS: Record<string, string> = { 0: 'Off', 30: '30 seconds', 300: '5 minutes', 3600: '1 hour' }

/** Lets the author limit how often a member can comment. */
export function SlowMode({ scriptId, comments }: { scriptId: number; comments: Comments }) {
  const api = useApi()
  const run = useAction()
  const change = async (value: string) => {
    const slow_seconds = COMMENT_SLOW_SECONDS.find((seconds) => String(seconds) === value) ?? 0
    await run(() => api('PUT /api/comment-settings', { body: { script_id: scriptId, slow_seconds } }), {
      success: ({ message }) => message,
      failure: 'Failed to change slow mode',
    })
    comments.setSlow(slow_seconds)
  }
  return (
    <Select
      label="Slow mode"
      isLabelAlwaysVisible
      value={String(comments.slow_seconds)}
      options={SLOW_LABELS}
      onChange={(value) => void change(value).catch(() => undefined)}
    />
  )
}
