import ArrowLeft from 'lucide-react/icons/arrow-left'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { readScriptId } from '#contract/slug.ts'
import type { Script } from '#contract/scripts.ts'
import { Link, useNavigate, useParams, useQuery } from '#web/router/router.tsx'
import { NeedsScript } from '#web/shared/sign-in/needs-script.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import type { CodeFieldHandle } from '#web/features/script-edit/form/code-editor.tsx'
import { SecretWarning } from '#web/features/script-edit/form/declaration-fields.tsx'
import type { DraftSlot } from '#web/lib/drafts.ts'
import { LinkButton } from '#web/ui/button.tsx'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import { FormSection } from '#web/ui/form-section.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'
import { ConflictPanel } from './conflict-panel.tsx'
import { EditFooter, RestoredNotice } from './edit-footer.tsx'
import { EditLoader, MissingMessage } from './edit-loader.tsx'
import { RepositorySync } from '#web/features/publishing/repository-sync.tsx'
import { newVersionPath, scriptPath, type VersionTab } from '#web/shared/script-paths.ts'
import { TrustedPublishing } from '#web/features/publishing/trusted-publishing.tsx'
import { OnlyBuildsNotice } from './only-builds-notice.tsx'
import type { OpenedEdit } from './open-edit.ts'
import { useEdit } from './use-edit.ts'
import { VERSION_FIELDS, VersionFields } from './version-fields.tsx'
import { WaitingForEdit } from './waiting-for-edit.tsx'

const LEAVE_DELAY_MS = 500

/** Publishes versions of a script, from code or from a repository, at /scripts/{slug}/new-version. */
export function Component() {
  const slug = useParams()['slug'] ?? ''
  const id = readScriptId(slug)
  return (
    <>
      <PageHead
        title="New version"
        description="Publish a new version of your script."
        path={newVersionPath({ slug })}
        isListed={false}
      />
      {id === null ? (
        <MissingMessage />
      ) : (
        <NeedsScript>
          <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 px-4 py-4 sm:py-6">
            <EditLoader scriptId={id} path={scriptPath({ slug })}>
              {(opened, slot) => <NewVersion script={{ id, slug }} opened={opened} slot={slot} />}
            </EditLoader>
          </div>
        </NeedsScript>
      )}
    </>
  )
}

interface Props {
  script: Pick<Script, 'id' | 'slug'>
  opened: OpenedEdit
  slot: DraftSlot
}

function NewVersion({ script, opened, slot }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const codeField = useRef<CodeFieldHandle>(null)
  const tab: VersionTab = useQuery().get('tab') === 'repository' ? 'repository' : 'code'
  const isCodeShown = tab === 'code'
  const showErrors = (errors: object) => {
    if (form.current) focusFirstError(form.current, Object.keys(errors))
  }
  const edit = useEdit({ slot, scriptId: script.id, opened, onErrors: showErrors, isCodeShown })
  const { conflict, changed } = edit
  useLeaveWhenSaved(form, edit.fullySaved)
  const tabs = [
    { id: 'code', label: 'From code', to: newVersionPath(script) },
    { id: 'repository', label: 'From a repository', to: newVersionPath(script, 'repository') },
  ]
  const hasOthers = changed.some((name) => !VERSION_FIELDS.has(name))
  return (
    <>
      <Heading path={scriptPath(script)} title={opened.edit.base.title} />
      <WaitingForEdit scriptId={script.id} />
      <LinkTabs label="Where versions come from" tabs={tabs} current={tab}>
        {isCodeShown ? (
          <form
            ref={form}
            noValidate
            aria-label="New version"
            onSubmit={(event) => {
              event.preventDefault()
              void edit.save()
            }}
            className="flex min-w-0 flex-col gap-5"
          >
            <OnlyBuildsNotice script={script} />
            <RestoredNotice edit={edit} />
            {conflict && <ConflictPanel conflict={conflict} onChoose={edit.choose} />}
            <FormSection title="Code and version" text="Publishes new code. Earlier versions stay available.">
              <VersionFields edit={edit} codeField={codeField} scriptId={script.id} />
            </FormSection>
            <SecretWarning
              declaration={edit.declaration}
              error={edit.errors['secret']}
              onLine={(line) => codeField.current?.goToLine(line)}
            />
            <EditFooter
              edit={edit}
              saveLabel="Publish version"
              note={hasOthers && 'Your other unsaved changes to this script are saved too.'}
            >
              <LinkButton to={scriptPath(script)} className="max-sm:flex-1">
                Close
              </LinkButton>
            </EditFooter>
          </form>
        ) : (
          <div className="flex flex-col gap-5">
            <TrustedPublishing script={script} />
            <RepositorySync script={script} />
          </div>
        )}
      </LinkTabs>
    </>
  )
}

function Heading({ path, title }: { path: string; title: string }) {
  return (
    <header className="flex flex-col gap-1">
      <Link
        to={path}
        className="-mx-2 inline-flex min-h-11 items-center gap-1.5 self-start rounded-sm px-2 text-sm text-muted hover:text-text sm:min-h-8"
      >
        <ArrowLeft aria-hidden className="size-4" />
        Back to the script
      </Link>
      <h1 dir="auto" className="text-2xl font-semibold wrap-anywhere">
        New version of <bdi>{title}</bdi>
      </h1>
    </header>
  )
}

/** Leads to the script's page, whose path may have changed, unless the author goes on typing. */
function useLeaveWhenSaved(form: RefObject<HTMLFormElement | null>, fullySaved: Script | undefined) {
  const navigate = useNavigate()
  const leave = useEffectEvent((saved: Script) => {
    // Stays on the current page if the author has navigated away.
    if (form.current) void navigate(scriptPath(saved), { replace: true })
  })
  useEffect(() => {
    if (!fullySaved) return undefined
    const timer = setTimeout(() => leave(fullySaved), LEAVE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [fullySaved])
}
