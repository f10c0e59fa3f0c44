import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { EmailSettings } from '#contract/email.ts'
import type { Digest } from '#contract/limits.ts'
import type { BodyOf } from '#contract/operations.ts'
import { foldAddress, parseAddress } from '#server/platform/config/email.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { countUse, personOf } from '#server/platform/limits/limits.ts'
import { isActive, lockMember, transactAsMember } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { invalidField } from '#server/platform/http/field-errors.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import { addressHashOf, type ChosenKind, type EmailLinks, hashToken, type Unsubscription } from './links.ts'
import { CONFIRMATION_LIFETIME } from './outbox.ts'
import type { EmailContent } from './template.ts'

export interface AddressOptions {
  db: Database
  jobs: JobQueue
  links: EmailLinks
  siteName: () => string
}

export const SETTINGS_PATH = '/profile/settings?tab=notifications'

const DEFAULTS: EmailSettings = {
  address: null,
  is_bouncing: false,
  pending_address: null,
  digest: 'weekly',
  sign_ins: true,
  decisions: true,
}

export async function getSettings(db: Database, memberId: number): Promise<EmailSettings> {
  const { rows } = await sql<EmailSettings>`select a.address, a.bounced_at is not null as is_bouncing,
      c.address as pending_address, a.digest, a.sign_ins, a.decisions
    from email_addresses a
      left join email_confirmations c on c.member_id = a.member_id and c.created_at > now() - ${CONFIRMATION_LIFETIME}::interval
    where a.member_id = ${memberId}`.execute(db)
  return rows[0] ?? DEFAULTS
}

const interval = (digest: Digest) => (digest === 'daily' ? sql`interval '1 day'` : sql`interval '7 days'`)

/** Changes the choices; omitted ones stay as they are. A digest starts with what happens from now on. */
export async function changeChoices(
  db: Database,
  memberId: number,
  { digest, sign_ins, decisions }: BodyOf<'PUT /api/email-settings'>,
): Promise<EmailSettings> {
  await transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    await addRow(trx, memberId)
    await sql`update email_addresses set sign_ins = coalesce(${sign_ins ?? null}, sign_ins),
      decisions = coalesce(${decisions ?? null}, decisions) where member_id = ${memberId}`.execute(trx)
    if (digest === undefined) return
    await sql`update email_addresses set digest = ${digest},
        digested_through = case when digest = 'off' then now() else digested_through end,
        next_digest_at = case when address is not null and bounced_at is null and ${digest} <> 'off'
          then now() + ${interval(digest)} end
      where member_id = ${memberId} and digest <> ${digest}`.execute(trx)
  })
  return getSettings(db, memberId)
}

async function addRow(trx: Transaction, memberId: number): Promise<void> {
  await sql`insert into email_addresses (member_id) values (${memberId}) on conflict do nothing`.execute(trx)
}

/**
 * Sends a link to an address. The former address stays until the link is opened. Throws AppError `invalid`,
 * `already_confirmed` and `too_many_confirmations`.
 */
export async function requestAddress(
  { db, jobs, links }: AddressOptions,
  memberId: number,
  raw: string,
): Promise<void> {
  const address = parseAddress(raw)
  if (!address) throw invalidField('address', 'Enter an email address, such as name@example.com.')
  // Exclusive, so that concurrent requests cannot pass the limits.
  await transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    await addRow(trx, memberId)
    const current = await getSettings(trx, memberId)
    if (current.address === address && !current.is_bouncing) {
      throw new AppError('already_confirmed', 409, 'You receive email at this address already.')
    }
    await requireFewConfirmations(trx, links, memberId, address)
    const id = randomUUID()
    await sql`insert into emails (id, member_id, kind, address)
      values (${id}, ${memberId}, 'confirmation', ${address})`.execute(trx)
    const hash = hashToken(links.confirmationToken(id))
    await sql`insert into email_confirmations (member_id, address, token_hash) values (${memberId}, ${address}, ${hash})
      on conflict (member_id) do update set address = excluded.address, token_hash = excluded.token_hash,
        created_at = excluded.created_at`.execute(trx)
    await jobs.enqueue(trx, 'send-email', { id }, { priority: 10, memberId })
  })
}

const tooMany = (retryAfter: number, message: string) =>
  new AppError('too_many_confirmations', 429, message, { retryAfter })

/** Throws AppError `too_many_confirmations`. */
async function requireFewConfirmations(
  trx: Transaction,
  links: EmailLinks,
  memberId: number,
  address: string,
): Promise<void> {
  const person = personOf(memberId)
  const [hash] = links.hashes(`confirmation ${foldAddress(address)}`)
  // First, because a later error takes back what was counted.
  const waits = [
    await countUse(trx, 'confirmations', person),
    await countUse(trx, 'confirmations_to_address', sql`${hash.toString('base64url')}`),
  ]
  const wait = Math.max(...waits)
  if (wait > 0) throw tooMany(wait, 'We sent several links already. Look for them, or try again tomorrow.')
  const pause = await countUse(trx, 'confirmation_pause', person)
  if (pause > 0) throw tooMany(pause, 'We just sent you a link. Wait a minute before you ask for another.')
}

export interface PendingAddress {
  memberId: number
  username: string
  address: string
}

/** The address that a link would confirm; undefined if the link was used or replaced, or is older than a day. */
export async function findPending(db: Database, token: string): Promise<PendingAddress | undefined> {
  const { rows } = await sql<PendingAddress>`select c.member_id as "memberId", m.username, c.address
    from email_confirmations c join members m on m.id = c.member_id
    where c.token_hash = ${hashToken(token)} and c.created_at > now() - ${CONFIRMATION_LIFETIME}::interval
      and ${isActive('m')}`.execute(db)
  return rows[0]
}

/** Confirms the address of a link and notifies the former address. Returns undefined like `findPending`. */
export function confirmAddress(options: AddressOptions, token: string): Promise<PendingAddress | undefined> {
  return options.db.transaction().execute(async (trx) => {
    const pending = await findPending(trx, token)
    if (!pending) return undefined
    const { memberId, address } = pending
    await lockMember(trx, memberId, { allowMuted: true, exclusive: true })
    // The link may have been used or replaced before the lock.
    const spent = await sql`delete from email_confirmations where token_hash = ${hashToken(token)}`.execute(trx)
    if (!spent.numAffectedRows) return undefined
    const former = await getSettings(trx, memberId)
    const isNew = former.address !== address
    await sql`update email_addresses set address = ${address}, confirmed_at = now(), bounced_at = null,
        digested_through = case when address is null then now() else digested_through end,
        next_digest_at = case when digest = 'off' then null else coalesce(next_digest_at, now() + ${interval(former.digest)}) end
      where member_id = ${memberId}`.execute(trx)
    if (isNew && former.address && !former.is_bouncing) await notifyFormer(trx, options, pending, former.address)
    await notify(trx, {
      memberId,
      kind: 'security',
      type: 'info',
      title: isNew ? 'New email address' : 'Email address confirmed',
      message: `You receive email at ${address}. If this was not you, remove the address and sign out everywhere.`,
      link: SETTINGS_PATH,
    })
    await audit(trx, memberId, 'confirm_email_address')
    return pending
  })
}

async function notifyFormer(
  trx: Transaction,
  { jobs, siteName }: AddressOptions,
  { memberId, username }: PendingAddress,
  address: string,
): Promise<void> {
  const content: EmailContent = {
    subject: 'Your email address was changed',
    blocks: [
      { type: 'text', text: `The account ${username} on ${siteName()} now receives email at another address.` },
      { type: 'text', text: 'If this was not you, sign in, remove the new address and sign out everywhere.' },
      { type: 'button', label: 'Open the settings', url: SETTINGS_PATH },
    ],
  }
  const { rows } = await sql<{ id: string }>`insert into emails (member_id, kind, address, content)
    values (${memberId}, 'address_changed', ${address}, ${JSON.stringify(content)}::jsonb) returning id`.execute(trx)
  for (const { id } of rows) await jobs.enqueue(trx, 'send-email', { id }, { memberId })
}

/** The log stores no addresses, so that they disappear with the accounts. */
const audit = (trx: Transaction, memberId: number, action: string) =>
  writeAudit(trx, { actorId: memberId, action, subjectType: 'member', subjectId: memberId, memberId })

/** Removes the addresses and choices of a member, the devices stored for them, and email that was not sent yet. */
export async function removeAddress(db: Database, memberId: number): Promise<void> {
  await transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    const { address, pending_address } = await getSettings(trx, memberId)
    await sql`delete from email_addresses where member_id = ${memberId}`.execute(trx)
    await sql`delete from email_confirmations where member_id = ${memberId}`.execute(trx)
    await sql`delete from known_devices where member_id = ${memberId}`.execute(trx)
    await sql`update emails set state = 'canceled', content = null, done_at = now()
      where member_id = ${memberId} and state = 'waiting' and kind <> 'address_changed'`.execute(trx)
    if (address === null && pending_address === null) return
    await audit(trx, memberId, 'remove_email_address')
    if (address === null) return
    await notify(trx, {
      memberId,
      kind: 'security',
      type: 'info',
      title: 'Email address removed',
      message: 'You no longer receive email. If this was not you, sign out everywhere and add your address again.',
      link: SETTINGS_PATH,
    })
  })
}

const TURN_OFF: Record<ChosenKind, ReturnType<typeof sql>> = {
  digest: sql`digest = 'off', next_digest_at = null`,
  sign_in: sql`sign_ins = false`,
  decision: sql`decisions = false`,
}

/** Stops a kind of email, unless the member has changed the address since. */
export async function unsubscribe(db: Database, { memberId, kind, addressHash }: Unsubscription): Promise<void> {
  const { address } = await getSettings(db, memberId)
  if (address === null || addressHashOf(address) !== addressHash) return
  await sql`update email_addresses set ${TURN_OFF[kind]}
    where member_id = ${memberId} and address = ${address}`.execute(db)
}

/** Stops sending to an address that its mail server rejects, and notifies the member on the site. */
export async function turnOffAddress(trx: Transaction, memberId: number, address: string): Promise<void> {
  const pending = await sql`delete from email_confirmations
    where member_id = ${memberId} and address = ${address}`.execute(trx)
  const current = await sql`update email_addresses set bounced_at = now(), next_digest_at = null
    where member_id = ${memberId} and address = ${address} and bounced_at is null`.execute(trx)
  if (!pending.numAffectedRows && !current.numAffectedRows) return
  await notify(trx, {
    memberId,
    kind: 'security',
    type: 'warning',
    title: 'Your email address does not work',
    message: `The mail server rejected our email to ${address}, so we send nothing there. Check the address, or add another one.`,
    link: SETTINGS_PATH,
  })
}
