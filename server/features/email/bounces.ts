// Returned email: delivery status notifications (RFC 3464), which mail servers send to the bounce address.
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { turnOffAddress } from './addresses.ts'
import { isAddressInvalid } from './smtp.ts'

export interface Bounce {
  /** Id of the returned email. Random, so only those who received the email know it. */
  emailId: string
  diagnosis: string
}

const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const ENVELOPE_ID = new RegExp(`^original-envelope-id: *<?(${ID})\\b`, 'im')
const MESSAGE_ID = new RegExp(`^message-id: *<(${ID})@`, 'im')
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 262_144 }
const ORIGINALS = new Set(['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers'])

/** Undefined if a message does not say that one of our emails failed permanently. */
export async function parseBounce(raw: Buffer): Promise<Bounce | undefined> {
  // Loaded when it is needed, because it takes 7 MB.
  const { default: PostalMime } = await import('postal-mime')
  const parsed = await PostalMime.parse(raw, {
    ...LIMITS,
    forceRfc822Attachments: true,
    attachmentEncoding: 'utf8',
  }).catch(() => undefined)
  const parts = (parsed?.attachments ?? []).map(({ mimeType, content }) => ({
    mimeType,
    text: unfold(typeof content === 'string' ? content : ''),
  }))
  const report = parts.find(({ mimeType }) => /^message\/(global-)?delivery-status$/.test(mimeType))
  if (!report) return undefined
  // Groups of fields: the first about the message, then one per recipient.
  const failed = report.text.split(/\n\s*\n/).find((group) => /^action: *failed\b/im.test(group))
  const status = failed && /^status: *(5\.\d{1,3}\.\d{1,3})\b/im.exec(failed)?.[1]
  if (!failed || !status) return undefined
  const original = parts.find(({ mimeType }) => ORIGINALS.has(mimeType))
  const emailId = ENVELOPE_ID.exec(report.text)?.[1] ?? (original && MESSAGE_ID.exec(headersOf(original.text))?.[1])
  const diagnostic = /^diagnostic-code: *[\w-]+ *; *(.+)$/im.exec(failed)?.[1] ?? ''
  return emailId ? { emailId: emailId.toLowerCase(), diagnosis: `${status} ${diagnostic}`.trim() } : undefined
}

const unfold = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(/\n[ \t]+/g, ' ')

const headersOf = (message: string): string => message.split('\n\n', 1)[0] ?? ''

/** Records a bounce, and turns off the address if it receives no email. Returns whether the email is one of ours. */
export async function recordBounce(db: Database, { emailId, diagnosis }: Bounce): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ member_id: number; address: string }>`update emails
      set state = 'failed', response = ${diagnosis.slice(0, 500)}, content = null, done_at = coalesce(done_at, now())
      where id = ${emailId} returning member_id, address`.execute(trx)
    const [email] = rows
    if (email && isAddressInvalid(diagnosis)) await turnOffAddress(trx, email.member_id, email.address)
    return email !== undefined
  })
}
