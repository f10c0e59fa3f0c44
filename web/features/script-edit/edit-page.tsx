import type { Script } from '#contract/scripts.ts'
import { type LoaderArgs, redirect } from '#web/router/routes.ts'
import { useLocation, useNavigate, useRevalidator, useRouteLoaderData } from '#web/router/router.tsx'
import { useSessionValue } from '#web/lib/session.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EditForm } from './edit-form.tsx'
import { EditLoader } from './edit-loader.tsx'
import { WaitingForEdit } from './waiting-for-edit.tsx'
import { newVersionPath, type OverPage, scriptPath } from '#web/shared/script-paths.ts'

type EditedScript = Pick<Script, 'id' | 'slug' | 'title'>

/** Redirects former URLs: publishing versions and repositories were tabs beside the form. */
export function loader({ params, request }: LoaderArgs) {
  const tab = new URL(request.url).searchParams.get('tab')
  const slug = params['slug'] ?? ''
  if (tab === 'version') return redirect(newVersionPath({ slug }))
  return tab === 'repository' ? redirect(newVersionPath({ slug }, 'repository')) : null
}

/** The dialog at /scripts/{slug}/edit. The script's page is around it. */
export function Component() {
  const details = useRouteLoaderData('web/features/script/script-page.tsx') as
    | { script: EditedScript }
    | null
    | undefined
  const isKnown = useSessionValue(({ status }) => status !== 'loading')
  return details && isKnown ? <EditDialog script={details.script} /> : null
}

function EditDialog({ script }: { script: EditedScript }) {
  const navigate = useNavigate()
  const { state: revalidation } = useRevalidator()
  const { state } = useLocation()
  const path = scriptPath(script)
  // Back, if the dialog was opened from the page: its entry in the history would follow that of the page otherwise. Not
  // while the page is loaded again after saving, which may replace the current entry, because its path has changed.
  const close = () => {
    if (revalidation === 'idle' && (state as OverPage | null)?.isOverPage) return history.back()
    void navigate(path, { replace: true, preventScrollReset: true })
  }
  return (
    <Dialog title={`Edit ${script.title}`} size="lg" height="sheet" isControlled onClose={close}>
      <WaitingForEdit scriptId={script.id} />
      <EditLoader scriptId={script.id} path={path}>
        {(opened, slot) => <EditForm script={script} opened={opened} slot={slot} onClose={close} />}
      </EditLoader>
    </Dialog>
  )
}
