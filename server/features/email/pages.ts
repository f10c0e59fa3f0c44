// The pages behind the links in emails. Plain HTML that works without scripts and without a session. Opening one changes nothing,
// because mail servers open links to check them: only its button does.
import { hash } from 'node:crypto'
import { escapeXml } from '#server/platform/http/xml.ts'

/** Colors are those of web/styles.css; a test compares them. */
const STYLES = `:root{color-scheme:light dark;--surface-0:light-dark(#faf9fd,#0d0c12);--surface-1:light-dark(#ffffff,#15131c);--line:light-dark(#ddd8ea,#2f2b3d);--text:light-dark(#1b1725,#f1eff7);--accent:light-dark(#6d28d9,#b79cff);--accent-strong:#7c3aed;--on-accent:#ffffff}
*{box-sizing:border-box;margin:0}
body{font:16px/1.5 Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--text);background:var(--surface-0);padding:48px 16px}
main{max-width:480px;margin:0 auto;padding:24px;background:var(--surface-1);border:1px solid var(--line);border-radius:10px;display:flex;flex-direction:column;gap:16px;overflow-wrap:anywhere}
h1{font-size:20px;line-height:1.3}
a{color:var(--accent)}
a,button{border-radius:6px}a:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
button{font:inherit;font-weight:600;min-height:44px;width:100%;padding:8px 16px;border:0;background:var(--accent-strong);color:var(--on-accent);cursor:pointer}`

export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLES, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export interface Page {
  title: string
  text: string
  button?: { label: string; action: string }
  link: { label: string; path: string }
}

export function writePage({ title, text, button, link }: Page, siteName: string): string {
  const form = button
    ? `<form method="post" action="${escapeXml(button.action)}"><button>${escapeXml(button.label)}</button></form>\n`
    : ''
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeXml(title)} · ${escapeXml(siteName)}</title><meta name="robots" content="noindex"><style>${STYLES}</style></head>
<body><main><p><strong>${escapeXml(siteName)}</strong></p><h1>${escapeXml(title)}</h1>
<p>${escapeXml(text)}</p>
${form}<p><a href="${escapeXml(link.path)}">${escapeXml(link.label)}</a></p></main></body></html>
`
}
