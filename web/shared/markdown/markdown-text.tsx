import { useEffect, useState } from 'react'
import { type RichNode, RichText } from './rich-text.tsx'

/** Markdown that is formatted in the browser. Shows the text as it is until the parser is loaded, and if loading fails. */
export function MarkdownText({ text, className }: { text: string; className?: string }) {
  const [formatted, setFormatted] = useState<RichNode[]>()
  useEffect(() => {
    let isStale = false
    const format = async () => {
      const { renderMarkdown } = await import('./render-markdown.ts')
      const nodes = await renderMarkdown(text)
      // The previous nodes stay until the new ones are ready, so that a live preview doesn't flicker.
      if (!isStale) setFormatted(nodes)
    }
    format().catch(() => undefined)
    return () => {
      isStale = true
    }
  }, [text])
  return <RichText nodes={formatted ?? [['p', [text]]]} {...(className ? { className } : {})} />
}
