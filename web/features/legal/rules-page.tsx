import { NotFoundPage } from '#web/shared/error-pages.tsx'
import { PageHead } from '#web/shared/page-head.tsx'
import { useLoaderData } from '#web/router/router.tsx'
import { data, type LoaderArgs } from '#web/router/routes.ts'
import { createTextLoader, SiteTextArticle } from './site-text.tsx'

const loadRules = createTextLoader('rules')

/** Responds with 404 on a site without rules. */
export async function loader(request: LoaderArgs) {
  const text = await loadRules(request)
  return data(text, { status: text ? 200 : 404 })
}

export function Component() {
  const text = useLoaderData<typeof loader>()
  if (!text) return <NotFoundPage />
  return (
    <SiteTextArticle title="Rules" text={text}>
      <PageHead title="Rules" description="The rules of this community." path="/rules" />
    </SiteTextArticle>
  )
}
