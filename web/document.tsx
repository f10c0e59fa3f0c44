import type { ReactNode } from 'react'
import { useRootData } from '#web/lib/root-data.ts'

/** The HTML document. React does not know its scripts and the build's styles: the server writes them into <head>. */
export function Document({ children }: { children: ReactNode }) {
  const { look } = useRootData().site
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={look.theme_color} />
        <meta name="color-scheme" content="dark light" />
        {/* Without a precedence, so that it follows a change of the branding. */}
        {look.stylesheet && <link rel="stylesheet" href={look.stylesheet} />}
        {!look.icons && <link rel="icon" href="/favicon.svg" type="image/svg+xml" />}
        <link rel="icon" href={look.icons ? `${look.icons}48.png` : '/favicon.png'} type="image/png" sizes="48x48" />
        <link rel="apple-touch-icon" href={look.icons ? `${look.icons}180.png` : '/apple-touch-icon.png'} />
        <link rel="manifest" href="/site.webmanifest" />
      </head>
      <body className="flex min-h-dvh flex-col">{children}</body>
    </html>
  )
}
