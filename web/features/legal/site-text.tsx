import type { ReactNode } from 'react'
import type { SiteText } from '#contract/site.ts'
import { type RichNode, RichText } from '#web/shared/markdown/rich-text.tsx'
import { apiContext } from '#web/lib/api-context.ts'
import type { LoaderArgs } from '#web/router/routes.ts'

/** Creates the loader of a page whose text admins may write: the formatted text, or null for the default. */
export function createTextLoader(name: SiteText) {
  return async ({ context, request: { signal } }: LoaderArgs): Promise<RichNode[] | null> => {
    const { text } = await context.get(apiContext)('GET /api/site-text', { query: { name }, signal })
    if (text === null) return null
    const { renderMarkdown } = await import('#web/shared/markdown/render-markdown.ts')
    return renderMarkdown(text)
  }
}

interface Props {
  title: string
  text: RichNode[] | null
  /** The default text. */
  fallback: ReactNode
  children: ReactNode
}

export function SiteTextArticle({ title, text, fallback, children }: Props) {
  return (
    <article className="mx-auto w-full max-w-3xl px-4 py-10">
      {children}
      <h1 className="mb-4 text-2xl font-semibold wrap-anywhere">{title}</h1>
      {text ? (
        <>
          {/* Headings in Markdown start at h3. */}
          <h2 className="sr-only">Text</h2>
          <RichText nodes={text} className="leading-relaxed" />
        </>
      ) : (
        fallback
      )}
    </article>
  )
}
