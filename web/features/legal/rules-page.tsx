import { PageHead } from '#web/shared/page-head.tsx'
import { RulesText } from '#web/shared/rules-text.tsx'
import { useLoaderData } from '#web/router/router.tsx'
import { createTextLoader, SiteTextArticle } from './site-text.tsx'

export const loader = createTextLoader('rules')

export function Component() {
  const text = useLoaderData<typeof loader>()
  return (
    <SiteTextArticle title="Rules" text={text} fallback={<RulesText />}>
      <PageHead title="Rules" description="The rules of this community." path="/rules" />
    </SiteTextArticle>
  )
}
