import { parseShortText } from '@scriptyard/markdown/short-text'
import { type ReactNode, Suspense, useState } from 'react'
import type { Comment, CommentPage, Thread } from '#contract/comments.ts'
import { MAX_COUNTED_COMMENTS } from '#contract/limits.ts'
import type { Script } from '#contract/scripts.ts'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { type RichNode, RichText } from '#web/shared/markdown/rich-text.tsx'
import { SignInGate } from '#web/shared/sign-in/sign-in-gate.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useUser } from '#web/lib/session.tsx'
import { Link } from '#web/router/router.tsx'
import { Button } from '#web/ui/button.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { type Comments, useComments } from './use-comments.ts'

const loadTools = () => import('./comment-tools.tsx')
const CommentForm = lazyComponent(async () => (await loadTools()).CommentForm)
const CommentTools = lazyComponent(async () => (await loadTools()).CommentTools)
const SlowMode = lazyComponent(async () => (await loadTools()).SlowMode)

type CommentedScript = Pick<Script, 'id' | 'author_id' | 'is_public'>

/** Comments and questions. The server renders the first page; members can write. */
export function CommentsSection({ script, page }: { script: CommentedScript; page: CommentPage }) {
  const comments = useComments(script.id, page)
  const { threads, link, count, has_more, slow_seconds } = comments
  const user = useUser()
  const canModerate = user !== undefined && (user.id === script.author_id || user.is_admin || user.is_moderator)
  return (
    <>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="comments-heading" className="text-xl font-semibold">
          Comments and questions
          {count > 0 && (
            <span className="ml-2 text-base font-normal text-muted tabular-nums">
              {count < MAX_COUNTED_COMMENTS ? count : `${MAX_COUNTED_COMMENTS - 1}+`}
            </span>
          )}
        </h2>
        {canModerate && (
          <Suspense>
            <SlowMode scriptId={script.id} comments={comments} />
          </Suspense>
        )}
      </div>
      {script.is_public ? (
        <SignInGate label="Write a comment" signInLabel="Sign in to comment" className="self-start">
          {() => <CommentForm scriptId={script.id} comments={comments} />}
        </SignInGate>
      ) : (
        <p className="text-muted">Nobody can comment while this script is private.</p>
      )}
      {slow_seconds > 0 && (
        <p className="text-sm text-muted">Slow mode is on: one comment every {slowText(slow_seconds)}.</p>
      )}
      {link.state === 'missing' && (
        <p role="status" className="rounded-md border border-line bg-surface-1 p-4">
          The linked comment was removed, or isn't public yet.
        </p>
      )}
      {link.state === 'found' && (
        <section aria-label="Linked comment" className="rounded-md border border-accent p-4 pb-0">
          <p className="mb-3 text-sm font-medium text-accent">Linked comment</p>
          <ThreadItem thread={link.thread} script={script} comments={comments} />
        </section>
      )}
      {threads.length > 0 ? (
        <ul className="flex flex-col">
          {threads.map((thread) => (
            <li key={thread.id} className="border-t border-line pt-5">
              <ThreadItem thread={thread} script={script} comments={comments} />
            </li>
          ))}
        </ul>
      ) : (
        link.state !== 'found' && script.is_public && <p className="text-muted">No comments yet.</p>
      )}
      {has_more && <LoadButton onLoad={comments.loadMore}>Show older comments</LoadButton>}
    </>
  )
}

/** A time in words: '30 seconds', '5 minutes', 'hour'. */
const slowText = (seconds: number) =>
  seconds < 60 ? `${seconds} seconds` : seconds < 3600 ? `${seconds / 60} minutes` : 'hour'

/** Loads more, and says so if that fails. */
function LoadButton({ onLoad, children }: { onLoad: () => Promise<void>; children: ReactNode }) {
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const load = async () => {
    setBusy(true)
    await onLoad().catch(() => toast({ title: "Couldn't load comments. Try again.", tone: 'error' }))
    setBusy(false)
  }
  return (
    <Button aria-disabled={isBusy} onClick={() => void (isBusy || load())} className="self-start noscript:hidden">
      {isBusy ? 'Loading...' : children}
    </Button>
  )
}

interface ItemProps {
  script: CommentedScript
  comments: Comments
}

function ThreadItem({ thread, script, comments }: ItemProps & { thread: Thread }) {
  const user = useUser()
  const [replyTo, setReplyTo] = useState<Comment>()
  const reply = user && script.is_public ? setReplyTo : undefined
  return (
    <div className="flex flex-col gap-4 pb-5">
      <CommentItem comment={thread} comments={comments} onReply={reply} />
      {(thread.replies.length > 0 || thread.has_more_replies || replyTo) && (
        <div className="flex flex-col gap-4 border-l-2 border-line pl-4 sm:ml-5">
          {thread.replies.length > 0 && (
            <ul aria-label={`Replies to ${nameOf(thread)}`} className="flex flex-col gap-4">
              {thread.replies.map((comment) => (
                <li key={comment.id}>
                  <CommentItem comment={comment} comments={comments} onReply={reply} />
                </li>
              ))}
            </ul>
          )}
          {thread.has_more_replies && (
            <LoadButton onLoad={() => comments.loadReplies(thread)}>Show more replies</LoadButton>
          )}
          {replyTo && (
            <Suspense>
              <CommentForm
                key={replyTo.id}
                scriptId={script.id}
                comments={comments}
                replyTo={replyTo}
                onClose={() => setReplyTo(undefined)}
              />
            </Suspense>
          )}
        </div>
      )}
    </div>
  )
}

const nameOf = ({ state, author_name }: Comment) => (state === 'deleted' ? 'a deleted comment' : author_name)

const STATES = {
  pending: 'Waiting for review: only you and moderators see it',
  hidden: 'Hidden by a moderator',
} as const
const badgeClass = 'inline-flex min-h-5 items-center rounded-sm px-1.5 text-xs font-medium'

interface CommentProps {
  comment: Comment
  comments: Comments
  onReply: ((comment: Comment) => void) | undefined
}

function CommentItem({ comment, comments, onReply }: CommentProps) {
  const user = useUser()
  const [isEditing, setEditing] = useState(false)
  const { id, text, state, author_name, author_slug, author_avatar, created_at, edited_at, helpful_count } = comment
  if (text === null) {
    return (
      <p id={`comment-${id}`} className="text-muted italic">
        This comment was deleted.
      </p>
    )
  }
  return (
    <article
      id={`comment-${id}`}
      aria-label={`Comment by ${author_name}`}
      className="flex scroll-mt-32 gap-3 rounded-sm target:outline-2 target:outline-offset-4 target:outline-accent"
    >
      <MemberAvatar member={{ author_avatar }} name={author_name} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {author_slug ? (
            <Link
              to={`/profile/${encodeURIComponent(author_slug)}`}
              className="font-semibold wrap-anywhere hover:text-accent hover:underline"
            >
              <bdi>{author_name}</bdi>
            </Link>
          ) : (
            <bdi className="font-semibold text-muted">{author_name}</bdi>
          )}
          {comment.is_script_author && <span className={`${badgeClass} bg-accent-soft text-accent`}>Author</span>}
          <a href={`#comment-${id}`} className="text-sm text-muted hover:text-text hover:underline">
            <RelativeTime iso={created_at} />
          </a>
          {edited_at && <span className="text-sm text-muted">edited</span>}
          {(state === 'pending' || state === 'hidden') && (
            <span className={`${badgeClass} bg-warning text-surface-0`}>{STATES[state]}</span>
          )}
        </p>
        {isEditing ? (
          <Suspense fallback={<CommentText comment={comment} text={text} />}>
            <CommentForm comments={comments} edited={comment} onClose={() => setEditing(false)} />
          </Suspense>
        ) : (
          <CommentText comment={comment} text={text} />
        )}
        {user ? (
          <Suspense fallback={<div className="min-h-11 sm:min-h-8" />}>
            <CommentTools comment={comment} comments={comments} onReply={onReply} onEdit={() => setEditing(true)} />
          </Suspense>
        ) : (
          helpful_count > 0 && <p className="text-sm text-muted">{helpfulText(helpful_count)}</p>
        )}
      </div>
    </article>
  )
}

const helpfulText = (count: number) =>
  count === 1 ? '1 person found this helpful' : `${count} people found this helpful`

/** Longer texts are collapsed. */
const COLLAPSED_LENGTH = 1000
const MENTION = /(@[a-z0-9_.]{2,32})/iu

/** The formatted text of a comment, with links to the members that it mentions outside of code. */
function formatComment(text: string, mentions: Comment['mentions']): RichNode[] {
  const slugs = new Map(mentions.map(({ name, slug }) => [`@${name.toLowerCase()}`, slug]))
  const linkMentions = (node: RichNode): RichNode[] => {
    if (typeof node !== 'string') return [node]
    return node.split(MENTION).map((part) => {
      const slug = slugs.get(part.toLowerCase())
      return slug === undefined ? part : ['a', [part], `/profile/${encodeURIComponent(slug)}`]
    })
  }
  return parseShortText(text).map((block) => (block[0] === 'p' ? ['p', block[1].flatMap(linkMentions)] : block))
}

function CommentText({ comment, text }: { comment: Comment; text: string }) {
  const isLong = text.length > COLLAPSED_LENGTH
  const [isOpen, setOpen] = useState(!isLong)
  return (
    <>
      <RichText
        nodes={formatComment(text, comment.mentions)}
        className={`max-w-prose ${isOpen ? '' : 'max-h-48 overflow-hidden mask-b-from-80% noscript:max-h-none noscript:mask-none'}`}
      />
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="-mx-2 min-h-11 self-start rounded-sm px-2 text-sm font-medium text-accent hover:underline noscript:hidden sm:min-h-8"
        >
          {isOpen ? 'Show less' : 'Read more'}
        </button>
      )}
    </>
  )
}
