import ChevronDown from 'lucide-react/icons/chevron-down'
import History from 'lucide-react/icons/history'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from '#web/router/router.tsx'
import { FormBar, FormStatus } from '#web/ui/form-bar.tsx'
import { MembersOnly } from '#web/shared/sign-in/members-only.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import type { CodeFieldHandle } from '#web/features/script-edit/form/code-editor.tsx'
import { CodeField } from '#web/features/script-edit/form/code-field.tsx'
import { DeclarationFields, SecretWarning } from '#web/features/script-edit/form/declaration-fields.tsx'
import { DuplicateNote } from '#web/features/script-edit/form/duplicate-note.tsx'
import { KindFields } from '#web/features/script-edit/form/kind-fields.tsx'
import { useProposals } from '#web/features/script-edit/form/proposals.ts'
import {
  ImageField,
  KeyFields,
  PropertyFields,
  TagField,
  TextFields,
} from '#web/features/script-edit/form/script-fields.tsx'
import { ScreenshotsField } from '#web/features/script-edit/form/screenshots-field.tsx'
import { UndeclaredNotice } from '#web/features/script-edit/form/serious-notice.tsx'
import type { ScriptCheck } from '#web/features/script-edit/form/use-script-check.ts'
import { ScriptPreview } from '#web/features/script-edit/form/script-preview.tsx'
import { useDeclaration } from '#web/features/script-edit/form/use-declaration.ts'
import { imageError } from '#web/shared/image-error.ts'
import { describeFolded, type FieldErrors, type ScriptValues } from '#web/features/script-edit/form/values.ts'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { isBlank, type OtherDraft } from './draft-record.ts'
import { OtherDraftNotice } from './other-draft.tsx'
import { type DraftState, type SavedIn, useDraft } from './use-draft.ts'
import { usePublish } from './use-publish.ts'

const POPULAR_TAGS = 8
const imageMessages = {
  notAnImage: 'Please select an image file.',
  tooLarge: 'Image must be smaller than ~3MB',
}

/** The upload page. The server renders its heading; the form appears once the session is known. */
export function Component() {
  return (
    <>
      <PageHead
        title="Upload Script"
        description="Share your script with the community."
        path="/upload"
        isListed={false}
      />
      <div className="mx-auto w-full max-w-7xl px-4 py-6 sm:py-8">
        <h1 className="text-2xl font-semibold">Upload Script</h1>
        <p className="mt-1 text-muted">Share your script with the community. Fields marked * are required.</p>
        <MembersOnly purpose="upload a script" skeleton={<UploadSkeleton />}>
          {(user) => <UploadForm key={user.id} memberId={user.id} />}
        </MembersOnly>
      </div>
    </>
  )
}

function UploadForm({ memberId }: { memberId: number }) {
  const draft = useDraft(memberId)
  const form = useRef<HTMLFormElement>(null)
  const codeField = useRef<CodeFieldHandle>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [isLeaving, setLeaving] = useState(false)
  const navigate = useNavigate()
  const setImageError = (image: string | undefined) => setErrors((all) => ({ ...all, image }))
  const change = (changed: Partial<ScriptValues>) => {
    draft.change(changed)
    // Clears the errors of the changed fields.
    setErrors((all) => ({ ...all, ...Object.fromEntries(Object.keys(changed).map((name) => [name, undefined])) }))
  }
  const declaration = useDeclaration({
    values: draft.values,
    change,
    isActive: true,
    isFilledIn: true,
    isForOthers: draft.values.is_public,
  })
  const publishing = usePublish(draft, declaration, form, setErrors)
  const showLine = (line: number) => codeField.current?.goToLine(line)
  usePastedImage((image) => change({ image }), setImageError)

  if (!draft.isReady) return <UploadSkeleton />
  const fields = { values: draft.values, errors, change }
  const cancel = () => (isBlank(draft.current().values) ? void navigate('/scripts') : setLeaving(true))
  return (
    <>
      {draft.isRestored && <RestoredNotice onDiscard={() => void draft.discard()} />}
      {draft.other && <OtherNotice draft={draft} other={draft.other} />}
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <form
          ref={form}
          noValidate
          aria-label="Upload Script"
          onSubmit={(event) => {
            event.preventDefault()
            void publishing.publish()
          }}
          className="flex min-w-0 flex-col gap-6"
        >
          <UploadFields {...fields} check={declaration.check} codeField={codeField} onImageError={setImageError} />
          <SecretWarning declaration={declaration} error={errors['secret']} onLine={showLine} />
          {publishing.failure && <FormAlert>{publishing.failure}</FormAlert>}
          <FormFooter
            savedIn={draft.savedIn}
            hasImages={hasImages(draft.values)}
            isBusy={publishing.isBusy}
            onCancel={cancel}
          />
        </form>
        <ScriptPreview values={draft.values} />
      </div>
      {isLeaving && (
        <LeaveDialog
          onStay={() => setLeaving(false)}
          onKeepDraft={() => void draft.flush().then(() => navigate('/scripts'))}
          onDiscard={() => void draft.discard().then(() => navigate('/scripts'))}
        />
      )}
      {publishing.isAlreadyPublished && (
        <AlreadyPublishedDialog onPublish={publishing.publishAsNew} onClose={publishing.dismissAlreadyPublished} />
      )}
    </>
  )
}

interface UploadFieldsProps {
  values: ScriptValues
  errors: FieldErrors
  change: (change: Partial<ScriptValues>) => void
  check: ScriptCheck
  codeField: RefObject<CodeFieldHandle | null>
  onImageError: (error: string | undefined) => void
}

/** The code first, then what is proposed from it, then what has a default and is folded. */
function UploadFields({ check, codeField, onImageError, ...fields }: UploadFieldsProps) {
  const { values, errors, change } = fields
  const { proposed, changeCode } = useProposals(values, change)
  const showLine = (line: number) => codeField.current?.goToLine(line)
  return (
    <>
      <FormSection title="Script Content" text="Your Luau code, up to 1 MB. We fill in what follows from it.">
        <CodeField
          handle={codeField}
          code={values.script_content}
          error={errors['script_content']}
          onChange={changeCode}
        />
        <DuplicateNote duplicate={check.duplicate} />
        <KindFields values={values} change={change} isProposed={proposed.has('script_type')} />
        <DeclarationFields {...fields} check={check} onLine={showLine} />
        <UndeclaredNotice {...fields} check={check} onLine={showLine} />
      </FormSection>
      <FormSection title="Basic Information" text="The first thing people see.">
        <TextFields {...fields} isTitleProposed={proposed.has('title')} />
        <ImageField
          label="Thumbnail"
          messages={imageMessages}
          image={values.image}
          errors={errors}
          onChange={(image) => change({ image })}
          onError={onImageError}
        />
      </FormSection>
      <FormSection title="Tags & Categories" text="Tags help people find your script.">
        <TagField {...fields} popularCount={POPULAR_TAGS} hasProposals />
      </FormSection>
      <FoldedSections summary={describeFolded(values)}>
        <FormSection title="Script Properties" text="Compatibility, pricing and visibility.">
          <PropertyFields {...fields} />
          <ScreenshotsField {...fields} />
        </FormSection>
        <FormSection title="Access Control" text="Does the script need a key?">
          <KeyFields {...fields} />
        </FormSection>
      </FoldedSections>
    </>
  )
}

/** Sections whose fields have defaults. Folded, they are one line that states them. */
function FoldedSections({ summary, children }: { summary: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="min-w-0">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-4 rounded-md border border-line bg-surface-1 p-4 hover:border-line-strong sm:px-5 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">
          <span className="block text-base font-semibold">Script Properties, Access Control</span>
          <span className="block text-sm text-muted wrap-anywhere">{summary}</span>
        </span>
        <span className="flex shrink-0 items-center gap-1 font-medium text-accent">
          {isOpen ? 'Fold' : 'Change'}
          <ChevronDown aria-hidden className={`size-4 ${isOpen ? 'rotate-180' : ''}`} />
        </span>
      </summary>
      <div className="flex flex-col gap-6 pt-6">{children}</div>
    </details>
  )
}

/** Uses an image pasted anywhere on the page as the cover, unless text is pasted along with it. */
function usePastedImage(onImage: (file: File) => void, onError: (error: string | undefined) => void): void {
  const toast = useToast()
  const handlePaste = useEffectEvent((event: ClipboardEvent) => {
    const file = event.clipboardData?.files.item(0)
    if (event.defaultPrevented || !file?.type.startsWith('image/')) return
    if (event.clipboardData?.types.includes('text/plain')) return
    event.preventDefault()
    const error = imageError(file, imageMessages)
    onError(error)
    if (error) toast({ title: error, tone: 'error' })
    else onImage(file)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => handlePaste(event)
    document.addEventListener('paste', listener)
    return () => document.removeEventListener('paste', listener)
  }, [])
}

/** Shown when the form starts with a stored draft. Discarding takes two clicks. */
function RestoredNotice({ onDiscard }: { onDiscard: () => void }) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <div
      role="status"
      className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line bg-accent-soft p-3 pl-4"
    >
      <History aria-hidden className="size-5 shrink-0 text-accent" />
      <p className="min-w-0 flex-1 basis-60">Draft restored. It hasn't been published yet.</p>
      <Button size="sm" onClick={isConfirming ? onDiscard : () => setConfirming(true)}>
        {isConfirming ? 'Click again to discard' : 'Discard draft'}
      </Button>
    </div>
  )
}

function OtherNotice({ draft, other }: { draft: DraftState; other: OtherDraft }) {
  const { isOtherScript } = other
  return (
    <div className="mt-6">
      <OtherDraftNotice
        key={other.changedAt}
        what="Draft"
        from={other.from}
        changedAt={other.changedAt}
        title={other.values.title.trim()}
        note={isOtherScript && !isBlank(draft.values) && 'The draft below stays in this browser.'}
        isDeleted={isOtherScript}
        onUse={() => void draft.takeOther()}
        onDismiss={() => void draft.dismissOther()}
      />
    </div>
  )
}

interface FooterProps {
  savedIn: SavedIn | undefined
  hasImages: boolean
  isBusy: boolean
  onCancel: () => void
}

function FormFooter({ savedIn, hasImages: isWithoutImages, isBusy, onCancel }: FooterProps) {
  return (
    <FormBar>
      <FormStatus>
        {savedIn && statusTexts[savedIn]}
        {savedIn === 'account' && isWithoutImages && '. Its images stay in this browser.'}
      </FormStatus>
      <Button onClick={onCancel} className="max-sm:flex-1">
        Cancel
      </Button>
      <Button type="submit" variant="primary" aria-disabled={isBusy} className="min-w-36 max-sm:flex-1">
        {isBusy ? 'Uploading...' : 'Upload Script'}
      </Button>
    </FormBar>
  )
}

const hasImages = ({ image, screenshots }: ScriptValues) => image !== '' || screenshots.length > 0

const statusTexts: Record<SavedIn, string> = {
  browser: 'Draft saved in this browser',
  account: 'Draft saved in your account',
  nowhere: "Drafts can't be saved in this browser. Keep this page open.",
}

interface LeaveProps {
  onStay: () => void
  onKeepDraft: () => void
  onDiscard: () => void
}

/** Asks what to do with a draft when leaving the form. */
function LeaveDialog({ onStay, onKeepDraft, onDiscard }: LeaveProps) {
  return (
    <Dialog role="alertdialog" title="Leave without publishing?" onClose={onStay}>
      <p className="text-muted">Your draft stays until you come back.</p>
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button variant="danger" onClick={onDiscard} className="max-sm:w-full sm:mr-auto">
          Discard draft
        </Button>
        <Button onClick={onStay} className="max-sm:flex-1">
          Keep editing
        </Button>
        <Button variant="primary" onClick={onKeepDraft} className="max-sm:flex-1">
          Keep draft
        </Button>
      </div>
    </Dialog>
  )
}

/** Shown when an earlier attempt succeeded, its response was lost and the draft has changed since. */
function AlreadyPublishedDialog({ onPublish, onClose }: { onPublish: () => Promise<void>; onClose: () => void }) {
  return (
    <Dialog role="alertdialog" size="sm" title="Already published" onClose={onClose}>
      <p className="text-muted">
        An earlier attempt went through. Edit that script, or publish your current draft as a new one.
      </p>
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <Button onClick={() => void onPublish()} className="max-sm:w-full">
          Publish as a new script
        </Button>
        <LinkButton to="/profile/me" variant="primary" className="max-sm:w-full">
          See my scripts
        </LinkButton>
      </div>
    </Dialog>
  )
}

function UploadSkeleton() {
  return (
    <div aria-busy="true" className="mt-6 grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <output className="sr-only">Loading...</output>
      <div className="flex flex-col gap-6">
        <Skeleton className="h-160" />
        <Skeleton className="h-120" />
        <Skeleton className="h-44" />
        <Skeleton className="h-20" />
      </div>
      <Skeleton className="h-96 max-lg:hidden" />
    </div>
  )
}
