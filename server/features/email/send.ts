// Sends the emails of the outbox, one job each.
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { isActive } from '#server/features/members/standing.ts'
import { SETTINGS_PATH, turnOffAddress } from './addresses.ts'
import { type ChosenKind, type EmailLinks, hashToken } from './links.ts'
import { CONFIRMATION_LIFETIME, isWanted } from './outbox.ts'
import { type Mailer, type OutgoingEmail, RejectedError } from './smtp.ts'
import { type EmailContent, renderEmail, toLine } from './template.ts'

export interface SendOptions {
  db: Database
  links: EmailLinks
  mailer: Mailer
  siteName: () => string
  publicUrl: string
  log: FastifyBaseLogger
}

/** If the process dies after the server's acceptance, the email is sent again with the same Message-ID. */
export async function sendEmail(options: SendOptions, id: string, signal: AbortSignal): Promise<void> {
  const { db, mailer, log } = options
  const row = await findWaiting(db, id)
  // Sent already, canceled, or erased with its member.
  if (!row) return
  const email = composeEmail(options, row)
  if (!email) return finish(db, id, 'canceled', null)
  try {
    await finish(db, id, 'sent', await mailer.send(email, signal))
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error
    log.warn({ email: id, kind: row.kind, reason: error.message }, 'email rejected')
    await db.transaction().execute(async (trx) => {
      await finish(trx, id, 'failed', error.message)
      if (error.isAddressInvalid) await turnOffAddress(trx, row.member_id, row.address)
    })
  }
}

interface EmailRow {
  id: string
  member_id: number
  username: string
  kind: 'confirmation' | 'address_changed' | 'version_held' | ChosenKind
  address: string
  content: EmailContent | null
  created_at: Date
  is_wanted: boolean
  token_hash: Buffer | null
}

async function findWaiting(db: Database, id: string): Promise<EmailRow | undefined> {
  const { rows } = await sql<EmailRow>`select e.id, e.member_id, m.username, e.kind, e.address, e.content, e.created_at,
      case e.kind when 'digest' then ${isWanted('a', 'digest')} when 'sign_in' then ${isWanted('a', 'sign_in')}
        when 'decision' then ${isWanted('a', 'decision')} end and a.address = e.address and ${isActive('m')} as is_wanted,
      c.token_hash
    from emails e join members m on m.id = e.member_id
      left join email_addresses a on a.member_id = e.member_id
      left join email_confirmations c on c.member_id = e.member_id and c.address = e.address
        and c.created_at > now() - ${CONFIRMATION_LIFETIME}::interval and ${isActive('m')}
    where e.id = ${id} and e.state = 'waiting'`.execute(db)
  return rows[0]
}

const MAX_RESPONSE_LENGTH = 500

async function finish(db: Database, id: string, state: string, response: string | null): Promise<void> {
  const text = response?.slice(0, MAX_RESPONSE_LENGTH).replaceAll('\0', '').toWellFormed() ?? null
  await sql`update emails set state = ${state}, response = ${text}, content = null, done_at = now()
    where id = ${id} and state = 'waiting'`.execute(db)
}

/** Undefined if the member does not want the email any more. */
function composeEmail(options: SendOptions, row: EmailRow): OutgoingEmail | undefined {
  const { links, publicUrl } = options
  const siteName = options.siteName()
  const { id, kind, address, username } = row
  const frame = {
    siteName,
    publicUrl,
    reason: `You get this email because of the account ${toLine(username)} on ${siteName}.`,
    links: [],
  }
  const base = { id, address, siteName, date: row.created_at, unsubscribeUrl: undefined }
  if (kind === 'confirmation') {
    const content = describeConfirmation(options, row)
    return content && { ...base, ...renderEmail(content, frame) }
  }
  if (!row.content) return undefined
  if (kind === 'address_changed' || kind === 'version_held') return { ...base, ...renderEmail(row.content, frame) }
  if (!row.is_wanted) return undefined
  const unsubscribeUrl = links.unsubscribeUrl({ memberId: row.member_id, kind, address })
  const footer = [
    { label: STOP[kind], url: unsubscribeUrl },
    { label: 'Choose what you receive', url: SETTINGS_PATH },
  ]
  return { ...base, unsubscribeUrl, ...renderEmail(row.content, { ...frame, links: footer }) }
}

const STOP: Record<ChosenKind, string> = {
  digest: 'Stop the digest',
  sign_in: 'Stop emails about sign-ins',
  decision: 'Stop emails about decisions',
}

function describeConfirmation({ links, siteName }: SendOptions, row: EmailRow): EmailContent | undefined {
  const token = links.confirmationToken(row.id)
  // A later request replaced the token, or the secret key has changed since.
  if (!row.token_hash?.equals(hashToken(token))) return undefined
  return {
    subject: `Confirm your email address for ${siteName()}`,
    blocks: [
      {
        type: 'text',
        text: `Someone, probably you, wants email for the account ${row.username} to be sent to this address.`,
      },
      { type: 'button', label: 'Confirm this address', url: links.confirmationUrl(token) },
      {
        type: 'text',
        text: 'The link works once, for 24 hours. If this was not you, ignore this email; nothing more will follow.',
      },
    ],
  }
}
