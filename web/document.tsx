import { createContext, type ReactNode, useContext } from 'react'

/** URLs of the files that a page loads. */
export interface Assets {
  css: string[]
  scripts: string[]
  preload: string[]
  beforePaint: string
}

export const AssetsContext = createContext<Assets>({ css: [], scripts: [], preload: [], beforePaint: '' })

/**
 * The HTML document. The first script blocks on purpose, and changes <html> before React hydrates it. Modules run after
 * parsing, because they read the state at the end of the document. They have low priority: the page works without them.
 */
export function Document({ children }: { children: ReactNode }) {
  const { css, scripts, preload, beforePaint } = useContext(AssetsContext)
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#8b5cf6" />
        <meta name="color-scheme" content="dark light" />
        <script src={beforePaint} />
        {css.map((href) => (
          <link key={href} rel="stylesheet" href={href} precedence="default" />
        ))}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon.png" type="image/png" sizes="48x48" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        {preload.map((href) => (
          <link key={href} rel="modulepreload" href={href} fetchPriority="low" />
        ))}
        {scripts.map((src) => (
          <script key={src} type="module" src={src} fetchPriority="low" />
        ))}
      </head>
      <body className="flex min-h-dvh flex-col">{children}</body>
    </html>
  )
}
