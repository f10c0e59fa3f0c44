import { readFileSync } from 'node:fs'
import type { TestAccount } from './test-accounts.ts'

export const STYLES = readFileSync(new URL('page.css', import.meta.url), 'utf8')

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')

const accountRow = (base: string, { id, username, role }: TestAccount) => `
        <li>
          <button name="account" value="${escape(id)}">
            <img src="${base}/people/${escape(id)}.svg" alt="" width="40" height="40">
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
      <p class="place">Local development</p>
${content}
    </main>
  </body>
</html>
`

export interface AccountsPage {
  base: string
  people: TestAccount[]
  /** What the site asked, passed on with the answer. */
  asked: URLSearchParams
}

/** The page on which somebody says who they are. */
export function accountsPage({ base, people, asked }: AccountsPage): string {
  const hidden = [...asked]
    .filter(([name]) => name !== 'account')
    .map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
  return frame(
    base,
    'Sign in as ...',
    `      <h1>Sign in as ...</h1>
      <p class="note">This page stands in for Discord. Pick who you want to be; no password is asked.</p>
      <form method="post" action="${base}/oauth2/authorize">
        ${hidden.join('\n        ')}
        <ul>${people.map((person) => accountRow(base, person)).join('')}
        <li>
          <button name="account" value="new">
            <span class="plus" aria-hidden="true">+</span>
            <span class="name">Someone new</span>
            <span class="role">First visit</span>
          </button>
        </li>
        </ul>
        <p class="note">The site learns the name, the picture and the e-mail address.</p>
        <button class="cancel" name="account" value="">Cancel</button>
      </form>`,
  )
}

export const errorPage = (base: string, sentence: string): string =>
  frame(base, 'This cannot work', `      <h1>This cannot work</h1>\n      <p class="note">${escape(sentence)}</p>`)
