import { PageHead } from '#web/shared/page-head.tsx'
import { PrivacyText } from '#web/shared/privacy-text.tsx'
import { useLoaderData } from '#web/router/router.tsx'
import { createTextLoader, SiteTextArticle } from './site-text.tsx'

export const loader = createTextLoader('privacy')

export function Component() {
  const text = useLoaderData<typeof loader>()
  return (
    <SiteTextArticle title="Privacy Policy" text={text} fallback={<PrivacyText heading="h2" />}>
      <PageHead
        title="Privacy Policy"
        description="What we store about you, why, and what you can do about it."
        path="/privacy"
      />
    </SiteTextArticle>
  )
}
