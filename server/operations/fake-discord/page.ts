import { readFileSync } from 'node:fs'
import type { TestAccount } from './test-accounts.ts'

export const STYLES = readFileSync(new URL('page.css', import.meta.url), 'utf8')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

const accountRow = (base: string, { id, username, role }: TestAccount) => `
        <li>
          <button name="account" value="${escape(id)}">
            <img src="${base}/avatars/${escape(id)}.webp" alt="" width="40" height="40">
            <span class="name">${escape(username)}</span>
            <span class="role">${escape(role)}</span>
          </button>
        </li>`

const frame = (base: string, title: string, content: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <title>${title}</title>
    <link rel="stylesheet" href="${base}/page.css">
  </head>
  <body>
    <main>
      <p class="environment">Local development</p>
${content}
    </main>
  </body>
</html>
`

interface AccountsPage {
  base: string
  accounts: TestAccount[]
  /** The parameters of the authorization request, which the form sends back. */
  parameters: URLSearchParams
}

export function accountsPage({ base, accounts, parameters }: AccountsPage): string {
  const hidden = [...parameters]
    .filter(([name]) => name !== 'account')
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
  return frame(
    base,
    'Sign in as ...',
    `      <h1>Sign in as ...</h1>
      <p class="note">Choose a test account. This page replaces Discord in local development and needs no password.</p>
      <form method="post" action="${base}/oauth2/authorize">
        ${hidden.join('\n        ')}
        <ul>${accounts.map((account) => accountRow(base, account)).join('')}
        <li>
          <button name="account" value="new">
            <span class="plus" aria-hidden="true">+</span>
            <span class="name">Someone new</span>
            <span class="role">First visit</span>
          </button>
        </li>
        </ul>
        <p class="note">Shares name, avatar and email.</p>
        <button class="cancel" name="account" value="">Cancel</button>
      </form>`,
  )
}

export const errorPage = (base: string, sentence: string): string =>
  frame(base, 'Invalid request', `      <h1>Invalid request</h1>\n      <p class="note">${escape(sentence)}</p>`)
