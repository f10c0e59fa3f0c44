import { describe, expect, test } from 'vitest'
import { findHtmlFaults } from '#tests/support/stable-html.ts'
import { type EmailContent, type EmailFrame, renderEmail, toLine } from './template.ts'

const FRAME: EmailFrame = {
  siteName: 'Yard & Co',
  publicUrl: 'https://yard.example',
  reason: 'You get this email because of the account ada on Yard & Co.',
  links: [{ label: 'Stop the digest', url: 'https://yard.example/email/unsubscribe?token=1.digest.a.b' }],
}
const CONTENT: EmailContent = {
  subject: 'Two new notifications',
  blocks: [
    { type: 'text', text: 'First line.\nSecond line.' },
    { type: 'item', title: 'New comment', text: 'Zoë: “Nice!”', url: '/scripts/spring-1#comment-2' },
    { type: 'item', title: 'No link', text: 'Just text.', url: null },
    { type: 'button', label: 'Open the site', url: '/' },
  ],
}

test('one content gives a text and a page with the same words and links', () => {
  const { subject, text, html } = renderEmail(CONTENT, FRAME)
  expect(subject).toBe('Two new notifications')
  expect(text).toBe(`Two new notifications

First line.
Second line.

* New comment
  Zoë: “Nice!”
  https://yard.example/scripts/spring-1#comment-2

* No link
  Just text.

Open the site:
https://yard.example/

-- 
You get this email because of the account ada on Yard & Co.
Stop the digest: https://yard.example/email/unsubscribe?token=1.digest.a.b
`)
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url)
  expect(links).toEqual([
    'https://yard.example/scripts/spring-1#comment-2',
    'https://yard.example/',
    'https://yard.example/email/unsubscribe?token=1.digest.a.b',
  ])
  for (const words of [
    'First line.<br>Second line.',
    'Zoë: “Nice!”',
    'Just text.',
    'Yard &amp; Co',
    'Stop the digest',
  ]) {
    expect(html).toContain(words)
  }
})

test('a page loads nothing, sets no colors and leaves them to the theme of the client', () => {
  const { html } = renderEmail(CONTENT, FRAME)
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).not.toMatch(
    /<img|<script|<link|src=|url\(|@import|background|(?<!-)color:(?!inherit)|#[0-9a-f]{3,6}\b(?!omment)/i,
  )
})

describe('text of members', () => {
  const HOSTILE = `<script>alert(1)</script> "><a href='https://evil.example'>x</a> & \u{202E}txet\u{0}`
  const content: EmailContent = {
    subject: `Hi\r\nBcc: victim@example.com\r\n\r\n${HOSTILE}`,
    blocks: [
      { type: 'text', text: HOSTILE },
      { type: 'item', title: HOSTILE, text: HOSTILE, url: '/x" onclick="alert(1)' },
      { type: 'button', label: HOSTILE, url: '/' },
    ],
  }

  test('is text in the page', () => {
    const { html } = renderEmail(content, { ...FRAME, siteName: HOSTILE, reason: HOSTILE })
    expect(findHtmlFaults(html)).toEqual([])
    expect(html).not.toMatch(/<script|<a href='|onclick="|\u{202E}|\0/u)
    expect(html.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;/g)?.length).toBeGreaterThan(5)
    expect([...html.matchAll(/<a href="([^"]*)"/g)].every(([, url]) => url?.startsWith('https://yard.example/'))).toBe(
      true,
    )
  })

  test('stays on one line in the subject', () => {
    expect(renderEmail(content, FRAME).subject).toMatch(/^Hi Bcc: victim@example\.com <script>[^\r\n\0]+$/)
    expect(toLine('🚀'.repeat(200))).toBe(`${'🚀'.repeat(149)}…`)
    expect(toLine('half \u{D800} pair')).toBe('half \u{FFFD} pair')
  })
})

const renderLink = (url: string) =>
  renderEmail({ subject: 'Hi', blocks: [{ type: 'button', label: 'Go', url }] }, FRAME).html

test.each(['https://evil.example/', 'javascript:alert(1)', 'https://yard.example.evil.example/'])(
  'a link to %s is not written',
  (url) => {
    expect(() => renderLink(url)).toThrow('another site')
  },
)

test('paths lead to this site, whatever they start with', () => {
  expect(renderLink('//evil.example')).toContain('href="https://yard.example//evil.example"')
  expect(renderLink('/\\evil.example')).toContain('href="https://yard.example//evil.example"')
})
