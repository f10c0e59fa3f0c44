import { hash } from 'node:crypto'
import { warningTitle, warningTone } from '#contract/behavior-warning.ts'
import type { Card } from '#contract/catalogue.ts'
import { EMBED_SIZE } from '#contract/limits.ts'
import { escapeXml } from '#server/platform/http/xml.ts'
import type { Facts } from './facts.ts'

export type EmbedTheme = 'auto' | 'dark' | 'light'

const MAX_BEHAVIORS = 3

/** Colors are those of web/styles.css; a test compares them. */
const STYLES = `:root{color-scheme:light dark;--surface-1:light-dark(#ffffff,#15131c);--surface-2:light-dark(#f1eff7,#1e1b28);--line:light-dark(#ddd8ea,#2f2b3d);--text:light-dark(#1b1725,#f1eff7);--muted:light-dark(#5c5570,#aba5bd);--accent:light-dark(#6d28d9,#b79cff);--success:light-dark(#166534,#4ade80);--warning:light-dark(#854d0e,#fbbf24);--danger:light-dark(#be123c,#fb7185)}
.dark{color-scheme:dark}.light{color-scheme:light}
*{box-sizing:border-box;margin:0}
body{font:14px/1.45 Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--text);background:transparent}
article{display:flex;gap:16px;min-height:100vh;padding:16px;background:var(--surface-1);border:1px solid var(--line);border-radius:10px;overflow:hidden}
img{width:clamp(120px,31vw,176px);height:auto;aspect-ratio:16/9;border-radius:6px;object-fit:cover;background:var(--surface-2);flex:none}
.text{min-width:0;flex:1;display:flex;flex-direction:column;gap:6px}
h1{font-size:16px;line-height:1.3;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
h1 a{color:inherit;text-decoration:none}h1 a:hover{text-decoration:underline}
a{color:var(--accent)}a:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
p,ul{overflow-wrap:anywhere}
.by,.facts{color:var(--muted);font-size:13px}
.facts{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:2px 12px}
.works{color:var(--success)}.broken,.warning{color:var(--warning)}.danger{color:var(--danger)}.danger,.warning,.plain{align-self:flex-start;padding:0 6px;border:1px solid;border-radius:6px;font-size:13px;font-weight:600}.does,.plain{color:var(--muted)}.does{font-size:13px}
.site{margin-top:auto;font-size:13px;font-weight:600;align-self:flex-start}
@media(max-width:${EMBED_SIZE.narrowWidth}px){article{flex-direction:column;gap:10px}img{width:100%;height:99px}}`

/** Allows the cover and these styles only. The one page that other sites may show in a frame. */
export const EMBED_POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  `style-src 'sha256-${hash('sha256', STYLES, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join('; ')

interface EmbedOptions {
  siteName: string
  publicUrl: string
  theme: EmbedTheme
}

const count = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** The card of a script for a frame in another site: no scripts, no cookies; links open in a new tab. */
export function writeEmbed({ card, works, behavior }: Facts, { siteName, publicUrl, theme }: EmbedOptions): string {
  const url = escapeXml(`${publicUrl}/scripts/${encodeURIComponent(card.slug)}`)
  const author = escapeXml(`${publicUrl}/profile/${encodeURIComponent(card.author_slug)}`)
  const title = escapeXml(card.title)
  const facts = [
    `<li>Rated ${card.rating_average.toFixed(1)} of 5 (${card.rating_count > 0 ? count.format(card.rating_count) : 'new'})</li>`,
    `<li>${count.format(card.download_count)} ${card.download_count === 1 ? 'download' : 'downloads'}</li>`,
    works.total > 0
      ? `<li class="${2 * works.works >= works.total ? 'works' : 'broken'}">Works for ${works.works} of ${works.total} this week</li>`
      : '',
  ]
  const cover = card.image_card ? `<img src="${escapeXml(card.image_card)}" alt="" width="176" height="99">` : ''
  return `<!DOCTYPE html>
<html lang="en"${theme === 'auto' ? '' : ` class="${theme}"`}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} · ${escapeXml(siteName)}</title><meta name="robots" content="noindex"><link rel="canonical" href="${url}"><style>${STYLES}</style></head>
<body><main><article>${cover}<div class="text"><h1><a href="${url}" target="_blank" rel="noopener">${title}</a></h1>
<p class="by">by <a href="${author}" target="_blank" rel="noopener"><bdi>${escapeXml(card.author_name)}</bdi></a> · version <bdi>${escapeXml(card.version)}</bdi></p>
<ul class="facts">${facts.join('')}</ul>
${describeWarning(card)}${describeBehavior(behavior)}<a class="site" href="${url}" target="_blank" rel="noopener">View on ${escapeXml(siteName)}</a></div></article></main></body></html>
`
}

function describeWarning({ warning }: Pick<Card, 'warning'>): string {
  if (!warning) return ''
  return `<p class="${warningTone(warning)}">${escapeXml(warningTitle(warning.id))}</p>\n`
}

function describeBehavior(behavior: string[] | null): string {
  if (!behavior || behavior.length === 0) return ''
  const rest = behavior.length - MAX_BEHAVIORS
  const shown = [...behavior.slice(0, MAX_BEHAVIORS), ...(rest > 0 ? [`${rest} more`] : [])]
  return `<p class="does">${escapeXml(shown.join(' · '))}</p>\n`
}
