/** What a page may load and run: its own files only, no inline script or style. */
export function contentSecurityPolicy({
  discordCdnUrl,
  isDevelopment,
}: {
  discordCdnUrl: string
  isDevelopment: boolean
}) {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Vite puts styles into the page while developing.
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    `img-src 'self' blob: ${new URL(discordCdnUrl).origin}`,
    "font-src 'self'",
    "manifest-src 'self'",
    isDevelopment ? "connect-src 'self' ws:" : "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isDevelopment ? [] : ["require-trusted-types-for 'script'"]),
  ].join('; ')
}
