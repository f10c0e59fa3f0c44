import { type ReactNode, Suspense, useState } from 'react'
import type { Works } from '#contract/works.ts'
import { Link } from '#web/router/router.tsx'
import { linkRel } from '#web/shared/markdown/rich-text.tsx'
import { SessionSlot } from '#web/shared/sign-in/session-slot.tsx'
import { MemberAvatar } from '#web/shared/member-avatar.tsx'
import { dayText } from '#web/lib/dates.ts'
import { gamePath, gameTitle } from '#web/lib/games.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Button } from '#web/ui/button.tsx'
import type { PageScript } from './script-details.ts'

// The server renders it; the browser loads it after the page is shown and hydrates it then.
const WorksPanel = import.meta.env.SSR
  ? (await import('./works-panel.tsx')).WorksPanel
  : lazyComponent(async () => (await import('./works-panel.tsx')).WorksPanel)
const GiveReputationSlot = lazyComponent(async () => (await import('./member-slots.tsx')).GiveReputationSlot)

// Its end sticks to the end of the viewport, so that a long aside can be read to its end. The minimum height makes a short
// one stick below the section links.
const stickyClass = 'lg:sticky lg:bottom-0 lg:min-h-[calc(100dvh-8rem)] lg:self-end'

export function ScriptSidebar({ script, works }: { script: PageScript; works: Works | null }) {
  return (
    <aside
      aria-label="About this script"
      className={`flex min-w-0 flex-col gap-4 lg:col-start-2 lg:row-span-5 lg:row-start-1 ${stickyClass}`}
    >
      <AuthorCard script={script} />
      {works && (
        <Suspense>
          <WorksPanel script={script} works={works} />
        </Suspense>
      )}
      <Details script={script} />
      {script.is_public && <RawUrl script={script} />}
    </aside>
  )
}

function AuthorCard({ script }: { script: PageScript }) {
  const { reputation, setReputation } = useReputationCount(script)
  return (
    <section
      aria-labelledby="author-heading"
      className="flex flex-col gap-4 rounded-md border border-line bg-surface-1 p-4"
    >
      <div className="relative flex items-center gap-3">
        <MemberAvatar member={script} name={script.author_name} />
        <div className="min-w-0 flex-1">
          <h2 id="author-heading" className="text-sm text-muted">
            Author
          </h2>
          <Link
            to={`/profile/${encodeURIComponent(script.author_slug)}`}
            className="block truncate font-semibold after:absolute after:inset-0 hover:text-accent hover:underline"
          >
            <bdi>{script.author_name}</bdi>
          </Link>
          {script.username !== script.author_name && (
            <p className="truncate text-sm text-muted">
              <bdi>@{script.username}</bdi>
            </p>
          )}
          {reputation !== null && <p className="text-sm text-muted tabular-nums">{fullCount(reputation)} reputation</p>}
        </div>
      </div>
      <div className="min-h-11 noscript:hidden sm:min-h-10">
        <SessionSlot
          fallback={
            <Button disabled className="w-full">
              Give reputation
            </Button>
          }
        >
          <GiveReputationSlot script={script} reputation={reputation} onReputation={setReputation} />
        </SessionSlot>
      </div>
    </section>
  )
}

/** The author's reputation, updated when the viewer gives a point. Null if the author hides it. */
function useReputationCount(script: PageScript) {
  const [updated, setUpdated] = useState<{ script: PageScript; reputation: number }>()
  const isUpdated = updated?.script === script && script.author_reputation !== null
  return {
    reputation: isUpdated ? updated.reputation : script.author_reputation,
    setReputation: (reputation: number) => setUpdated({ script, reputation }),
  }
}

function Details({ script }: { script: PageScript }) {
  return (
    <section
      aria-labelledby="facts-heading"
      className="flex flex-col gap-3 rounded-md border border-line bg-surface-1 p-4"
    >
      <h2 id="facts-heading" className="text-sm font-semibold">
        Details
      </h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2">
        <Detail name="Works in">
          <Game script={script} />
        </Detail>
        <Detail name="Execution">{script.is_client_side ? 'Client-side' : 'FE'}</Detail>
        {script.script_type && <Detail name="Script type">{script.script_type}</Detail>}
        {script.placement && <Detail name="Goes into">{script.placement}</Detail>}
        <Detail name="Price">{script.is_free ? 'Free' : 'Paid'}</Detail>
        <Detail name="Key system">{script.has_key_system ? 'Yes' : 'No'}</Detail>
        <Detail name="Mobile">{script.is_mobile_compatible ? 'Yes' : 'No'}</Detail>
        <Detail name="License">
          {script.license ? (
            <a
              href={`https://spdx.org/licenses/${script.license}.html`}
              target="_blank"
              rel={linkRel}
              className="text-accent hover:underline"
            >
              {script.license}
            </a>
          ) : (
            'None chosen'
          )}
        </Detail>
        <Detail name="Created">
          <DateText iso={script.created_at} />
        </Detail>
        <Detail name="Updated">
          <DateText iso={script.updated_at} />
        </Detail>
      </dl>
      {script.requirements && (
        <div className="border-t border-line pt-3">
          <h3 className="text-muted">Requirements</h3>
          <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-wrap">
            {script.requirements}
          </p>
        </div>
      )}
    </section>
  )
}

function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children}</dd>
    </>
  )
}

function Game({ script: { is_universal, game_id, game_name } }: { script: PageScript }) {
  if (is_universal) return 'Any game'
  if (!game_id) return 'One game'
  return (
    <Link
      to={gamePath(game_id)}
      className="relative text-accent after:absolute after:inset-x-0 after:-inset-y-3.5 hover:underline"
    >
      <bdi>{gameTitle({ game_id, name: game_name })}</bdi>
    </Link>
  )
}

function DateText({ iso }: { iso: string }) {
  return <time dateTime={iso}>{dayText(iso)}</time>
}

/** Of a hash, enough to compare it with another one. */
const SHOWN_DIGITS = 8

const copyFailure = { title: "Couldn't copy the URL", text: 'Select and copy it manually.' }

/** URLs of the plain text, for game clients and tools: of this version, or of whichever is the newest. */
function RawUrl({ script: { slug, content_sha256: sha256, is_client_side } }: { script: PageScript }) {
  const { site } = useRootData()
  const path = `/raw/${encodeURIComponent(slug)}`
  const pinned = `${path}?sha256=${sha256}`
  return (
    <section
      aria-labelledby="raw-heading"
      className="flex flex-col gap-2 rounded-md border border-line bg-surface-1 p-4"
    >
      <h2 id="raw-heading" className="text-sm font-semibold">
        Raw URL
      </h2>
      <RawPath path={pinned} text={`${path}?sha256=${sha256.slice(0, SHOWN_DIGITS)}…`} copyLabel="Copy" />
      <p className="text-sm text-muted">Plain text of this version, which never changes.</p>
      {is_client_side && (
        <div>
          <CopyButton
            label="Copy as loadstring"
            load={() => Promise.resolve(`loadstring(game:HttpGet("${site.public_url}${pinned}"))()`)}
            failure={copyFailure}
            size="sm"
          />
        </div>
      )}
      <RawPath path={path} text={path} copyLabel="Copy newest" />
      <p className="text-sm text-muted">
        Always the newest: it runs whatever is published next, also if that is harmful.
      </p>
    </section>
  )
}

/** A path as people read it, which copies the whole URL. */
function RawPath({ path, text, copyLabel }: { path: string; text: string; copyLabel: string }) {
  const { site } = useRootData()
  const url = `${site.public_url}${path}`
  return (
    <div className="flex items-center gap-2">
      <a
        href={path}
        dir="ltr"
        className="min-h-11 min-w-0 flex-1 truncate rounded-sm border border-line bg-surface-0 px-3 py-2.5 sm:min-h-8 sm:py-1.5 font-mono text-sm text-muted hover:text-text"
      >
        {text}
      </a>
      <CopyButton label={copyLabel} load={() => Promise.resolve(url)} failure={copyFailure} size="sm" />
    </div>
  )
}
