import { PageHead } from '#web/components/page-head.tsx'
import { MembersOnly } from '#web/components/members-only.tsx'
import { UploadForm } from './upload-form.tsx'
import { UploadSkeleton } from './upload-skeleton.tsx'

/** Where members publish. The server sends its frame; the form follows when the session is known. */
export function Component() {
  return (
    <>
      <PageHead
        title="Upload Script"
        description="Publish a script of your own in the catalogue."
        path="/upload"
        isListed={false}
      />
      <div className="mx-auto w-full max-w-7xl px-4 py-6 sm:py-8">
        <h1 className="text-2xl font-semibold">Upload Script</h1>
        <p className="mt-1 text-muted">Share a script with the community. Fields with a * are required.</p>
        <MembersOnly skeleton={<UploadSkeleton />}>
          {(user) => <UploadForm key={user.id} memberId={user.id} />}
        </MembersOnly>
      </div>
    </>
  )
}
