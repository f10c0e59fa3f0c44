import { PageHead } from '#web/shared/page-head.tsx'
import { TermsText } from '#web/shared/terms-text.tsx'
import { useLoaderData } from '#web/router/router.tsx'
import { createTextLoader, SiteTextArticle } from './site-text.tsx'

export const loader = createTextLoader('terms')

export function Component() {
  const text = useLoaderData<typeof loader>()
  return (
    <SiteTextArticle title="Terms of Service" text={text} fallback={<TermsText heading="h2" />}>
      <PageHead
        title="Terms of Service"
        description="The rules for using this site and uploading to it."
        path="/terms"
      />
    </SiteTextArticle>
  )
}
