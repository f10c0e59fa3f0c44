import { PageHead } from '#web/components/page-head.tsx'
import { TermsText } from '#web/components/terms-text.tsx'

export function Component() {
  return (
    <article className="mx-auto w-full max-w-3xl px-4 py-10">
      <PageHead
        title="Terms of Service"
        description="The rules for using this site and for what is uploaded to it."
        path="/terms"
      />
      <h1 className="mb-4 text-2xl font-semibold">Terms of Service</h1>
      <TermsText heading="h2" />
    </article>
  )
}
