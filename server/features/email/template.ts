// Emails as blocks, rendered to text and to HTML. No images, no colors, no tracking: every client shows them in its own colors.
import { escapeXml } from '#server/platform/http/xml.ts'

export interface EmailContent {
  subject: string
  blocks: Block[]
}

export type Block =
  | { type: 'text'; text: string }
  | { type: 'item'; title: string; text: string; url: string | null }
  | { type: 'button'; label: string; url: string }

export interface EmailFrame {
  siteName: string
  /** Without a trailing slash; for URLs that are paths on this site. */
  publicUrl: string
  /** Why the recipient gets this email. */
  reason: string
  links: { label: string; url: string }[]
}

export interface RenderedEmail {
  subject: string
  text: string
  html: string
}

const MAX_SUBJECT_LENGTH = 150

const BIDI_CONTROLS = /[\u{202A}-\u{202E}\u{2066}-\u{2069}]/gu

export function toLine(text: string, maxLength = MAX_SUBJECT_LENGTH): string {
  const line = text
    .toWellFormed()
    .replaceAll(BIDI_CONTROLS, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const characters = Array.from(line)
  return characters.length > maxLength
    ? `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`
    : line
}

const toLines = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(BIDI_CONTROLS, '')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')

/** Only paths on this site and its own URLs become links. */
function toUrl(url: string, publicUrl: string): string {
  const absolute = url.startsWith('/') ? publicUrl + url : url
  if (!absolute.startsWith(`${publicUrl}/`) || !URL.canParse(absolute))
    throw new Error('An email links to another site.')
  return new URL(absolute).href
}

export function renderEmail(content: EmailContent, frame: EmailFrame): RenderedEmail {
  const subject = toLine(content.subject)
  return { subject, text: renderText(subject, content.blocks, frame), html: renderHtml(subject, content.blocks, frame) }
}

function renderText(subject: string, blocks: readonly Block[], { publicUrl, reason, links }: EmailFrame): string {
  const parts = blocks.map((block) => {
    if (block.type === 'text') return toLines(block.text)
    if (block.type === 'button') return `${block.label}:\n${toUrl(block.url, publicUrl)}`
    const url = block.url === null ? [] : [toUrl(block.url, publicUrl)]
    return [
      `* ${toLine(block.title)}`,
      ...[...toLines(block.text).split('\n'), ...url].map((line) => `  ${line}`),
    ].join('\n')
  })
  const footer = [toLines(reason), ...links.map(({ label, url }) => `${label}: ${toUrl(url, publicUrl)}`)].join('\n')
  return `${[subject, ...parts].join('\n\n')}\n\n-- \n${footer}\n`
}

const BODY = 'margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif'
const BUTTON =
  'display:inline-block;padding:10px 18px;border:2px solid;border-radius:6px;font-weight:600;text-decoration:none;color:inherit'
const SMALL = 'margin:0 0 4px;font-size:13px'

function renderHtml(subject: string, blocks: readonly Block[], frame: EmailFrame): string {
  const { siteName, publicUrl, reason, links } = frame
  const link = (url: string, label: string, style = 'color:inherit') =>
    `<a href="${escapeXml(toUrl(url, publicUrl))}" style="${style}">${escapeXml(toLine(label))}</a>`
  const lines = (text: string) => escapeXml(toLines(text)).replaceAll('\n', '<br>')
  const parts = blocks.map((block) => {
    if (block.type === 'text') return `<p dir="auto" style="margin:0 0 16px">${lines(block.text)}</p>`
    if (block.type === 'button') return `<p style="margin:24px 0">${link(block.url, block.label, BUTTON)}</p>`
    const title = block.url === null ? escapeXml(toLine(block.title)) : link(block.url, block.title)
    return `<div dir="auto" style="margin:0 0 16px"><p style="margin:0;font-weight:600">${title}</p>
<p style="margin:0">${lines(block.text)}</p></div>`
  })
  const footer = links.map(({ label, url }) => `<p style="${SMALL}">${link(url, label)}</p>`)
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeXml(subject)}</title><style>:root{color-scheme:light dark;supported-color-schemes:light dark}</style></head>
<body style="${escapeXml(BODY)}"><div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;font-weight:600">${escapeXml(toLine(siteName))}</p>
<h1 dir="auto" style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeXml(subject)}</h1>
${parts.join('\n')}
<hr style="margin:24px 0 16px;border:0;border-top:1px solid">
<p style="${SMALL}">${escapeXml(toLines(reason))}</p>
${footer.join('\n')}
</div></body></html>
`
}
