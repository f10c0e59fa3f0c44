import { createContext, type ReactNode, useContext } from 'react'
import { useRootData } from '#web/lib/root-data.ts'

export interface Assets {
  css: string[]
  scripts: string[]
  preload: string[]
  beforePaint: string
  /** The font of the text. Undefined in development. */
  font?: string
}

export const AssetsContext = createContext<Assets>({ css: [], scripts: [], preload: [], beforePaint: '' })

/**
 * The HTML document. The first script blocks on purpose, and changes <html> before React hydrates it. Modules run after
 * parsing, because they read the state at the end of the document. They have low priority: the page works without them.
 */
export function Document({ children }: { children: ReactNode }) {
  const { css, scripts, preload, beforePaint, font } = useContext(AssetsContext)
  const { look } = useRootData().site
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={look.theme_color} />
        <meta name="color-scheme" content="dark light" />
        <script src={beforePaint} />
        {/* Browsers use the font only if it is there by the first paint. */}
        {font && <link rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />}
        {css.map((href) => (
          <link key={href} rel="stylesheet" href={href} precedence="default" />
        ))}
        {/* Without a precedence, so that it follows a change of the branding. */}
        {look.stylesheet && <link rel="stylesheet" href={look.stylesheet} />}
        {!look.icons && <link rel="icon" href="/favicon.svg" type="image/svg+xml" />}
        <link rel="icon" href={look.icons ? `${look.icons}48.png` : '/favicon.png'} type="image/png" sizes="48x48" />
        <link rel="apple-touch-icon" href={look.icons ? `${look.icons}180.png` : '/apple-touch-icon.png'} />
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
