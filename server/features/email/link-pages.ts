// Requests for the pages behind the links in emails.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#server/platform/http/app.ts'
import { lengthRequired } from '#server/platform/http/json-body.ts'
import { isChunked } from '#server/platform/http/unread-body.ts'
import { type Page, PAGE_POLICY, writePage } from './pages.ts'

const MAX_TOKEN_LENGTH = 200
/** Maximum size of the form that a page or a mail client sends. */
export const MAX_FORM_BYTES = 4096

export function readToken({ query }: FastifyRequest): string {
  const { token } = query as Record<string, unknown>
  return typeof token === 'string' && token.length <= MAX_TOKEN_LENGTH ? token : ''
}

/** Reads bodies of any type, not in chunks, see `json-body.ts`. */
export function acceptBodies(scope: App): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.addHook('onRequest', async ({ raw }) => {
    if (isChunked(raw)) throw lengthRequired()
  })
}

export const sendPage = (
  reply: FastifyReply,
  { page, siteName, status = 200 }: { page: Page; siteName: string; status?: number },
): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', PAGE_POLICY)
    .send(writePage(page, siteName))
