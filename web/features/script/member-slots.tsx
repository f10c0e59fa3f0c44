import ArchiveX from 'lucide-react/icons/archive-x'
import { Suspense, useState } from 'react'
import { useLocation, useRevalidator } from '#web/router/router.tsx'
import type { WaitingVersion } from '#contract/versions.ts'
import { ReputationSlot } from '#web/shared/reputation-slot.tsx'
import { SignInGate } from '#web/shared/sign-in/sign-in-gate.tsx'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useUser } from '#web/lib/session.tsx'
import { newVersionPath } from '#web/shared/script-paths.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { isWithdrawn, type PageScript } from './script-details.ts'

// The parts of the page that depend on the session. One chunk, loaded after hydration.

const SaveButtons = lazyComponent(async () => (await import('./save-buttons.tsx')).SaveButtons)
const HiddenNotice = lazyComponent(async () => (await import('#web/shared/hidden-notice.tsx')).HiddenNotice)
const OwnerTools = lazyComponent(async () => (await import('./owner-tools.tsx')).OwnerTools)
const WaitingPanel = lazyComponent(async () => (await import('#web/shared/waiting/waiting-panel.tsx')).WaitingPanel)
const ScriptCases = lazyComponent(async () => (await import('./script-cases.tsx')).ScriptCases)
const OwnRating = lazyComponent(async () => (await import('./own-rating.tsx')).OwnRating)
const VersionsPanel = lazyComponent(async () => (await import('./versions-panel.tsx')).VersionsPanel)

/** The author's tools. */
export function ToolsSlot({ script }: { script: PageScript }) {
  const user = useUser()
  const isStaff = user?.is_admin || user?.is_moderator
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {script.is_public && script.is_unlisted && (user?.id === script.author_id || isStaff) && (
        <span
          title="Lists and searches leave it out. Everyone with the link can see it."
          className="inline-flex min-h-6 items-center rounded-sm border border-line-strong px-2 text-xs font-medium"
        >
          Unlisted
        </span>
      )}
      {!script.is_public && (
        <span className="inline-flex min-h-6 items-center rounded-sm bg-warning px-2 text-xs font-medium text-surface-0">
          {visibilityOf(script)}
        </span>
      )}
      <Suspense>{user?.id === script.author_id && <OwnerTools script={script} />}</Suspense>
    </div>
  )
}

function visibilityOf(script: PageScript): string {
  if (script.is_hidden) return 'Hidden by moderators'
  if (isWithdrawn(script)) return 'Withdrawn'
  return script.waiting?.is_first ? 'Not public yet' : 'Private'
}

/** Why others do not see the script, for its author. */
export function HiddenSlot({ script }: { script: PageScript }) {
  const user = useUser()
  if (user?.id !== script.author_id) return null
  if (isWithdrawn(script)) return <WithdrawnNotice script={script} />
  return (
    <Suspense>
      <HiddenNotice type="script" id={script.id} />
    </Suspense>
  )
}

function WithdrawnNotice({ script }: { script: PageScript }) {
  return (
    <section
      aria-label="Withdrawn"
      className="flex flex-wrap items-start gap-x-4 gap-y-3 rounded-md border border-line bg-surface-1 p-4"
    >
      <ArchiveX aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">Version {script.version} was withdrawn</p>
        <p className="text-muted">
          Visitors get a page that says why. Publish a new version to make the script public again.
        </p>
      </div>
      <LinkButton size="sm" to={newVersionPath(script)}>
        New version
      </LinkButton>
    </section>
  )
}

/** Cases that the site opened about the script, for its author. */
export function CasesSlot({ script }: { script: PageScript }) {
  const user = useUser()
  if (user?.id !== script.author_id) return null
  return (
    <Suspense>
      {/* A confirmation opens one. */}
      <ScriptCases key={script.waiting?.held?.confirmed_at} scriptId={script.id} />
    </Suspense>
  )
}

/** What the author and the staff can do about the version that waits. Open for the author, and for a link to it. */
export function WaitingSlot({ script, waiting }: { script: PageScript; waiting: WaitingVersion }) {
  const user = useUser()
  const { hash } = useLocation()
  const { revalidate } = useRevalidator()
  const isAuthor = user?.id === script.author_id
  const isLinked = hash === '#waiting' || hash === '#not-me'
  const [isOpen, setOpen] = useState(isAuthor || isLinked)
  if (!user || !(isAuthor || user.is_moderator || user.is_admin)) return null
  return (
    <div className="mt-3 flex min-w-0 flex-col gap-4">
      {!isAuthor && (
        <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="self-start">
          {isOpen ? 'Hide details' : 'Show details'}
        </Button>
      )}
      {(isAuthor || isOpen) && (
        <Suspense fallback={<p className="text-muted">Loading...</p>}>
          <WaitingPanel
            key={waiting.number}
            script={script}
            waiting={waiting}
            isAuthor={isAuthor}
            isDisowning={hash === '#not-me'}
            reload={revalidate}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Buttons to save the script, also for visitors, whom they sign in first. */
export function SaveSlot({ script }: { script: PageScript }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Suspense>
        <SaveButtons script={script} />
      </Suspense>
    </div>
  )
}

export function VersionsSlot({ script }: { script: PageScript }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="self-start">
        {isOpen ? 'Hide versions' : script.version_count > 1 ? `All ${script.version_count} versions` : 'View version'}
      </Button>
      {isOpen && (
        <Suspense fallback={<p className="text-muted">Loading...</p>}>
          <VersionsPanel script={script} />
        </Suspense>
      )}
    </div>
  )
}

interface ReputationProps {
  script: PageScript
  reputation: number | null
  /** Called when the viewer gives the author a point. */
  onReputation: (reputation: number) => void
}

export function GiveReputationSlot({ script, reputation, onReputation }: ReputationProps) {
  return (
    <ReputationSlot
      memberId={script.author_id}
      name={script.author_name}
      reputation={reputation ?? undefined}
      onReputation={onReputation}
    />
  )
}

export function RatingSlot({ script }: { script: PageScript }) {
  return (
    <SignInGate label="Rate this script" signInLabel="Sign in to rate" className="self-start">
      {(user) => <OwnRating key={user.id} script={script} user={user} />}
    </SignInGate>
  )
}
