// Emails about sign-ins from a new device: a browser, an operating system and a network that the member has not used before.
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { describeDevice } from '#server/features/accounts/device.ts'
import { networkOf } from '#server/platform/http/rate-limits.ts'
import { formatTime } from '#server/platform/http/text.ts'
import type { EmailLinks } from './links.ts'
import type { EmailMember } from './outbox.ts'

type Client = Pick<FastifyRequest, 'ip' | 'headers'>

/** The first 16 bits of an IPv4 address or 32 of IPv6, which stay the same when a provider assigns another address. */
function widerNetworkOf(ip: string): string {
  const network = networkOf(ip)
  return (network.includes(':') ? network.split(':') : network.split('.')).slice(0, 2).join('.')
}

/** Remembers the device of a request. Returns whether it was unknown. */
export async function rememberDevice(
  db: Database,
  links: EmailLinks,
  memberId: number,
  { ip, headers }: Client,
): Promise<boolean> {
  const traits = `device\n${memberId}\n${describeDevice(headers['user-agent'])}\n${widerNetworkOf(ip)}`
  const hashes = links.hashes(traits)
  const { rows: known } = await sql`select from known_devices
    where member_id = ${memberId} and device_hash = any(${hashes}::bytea[])`.execute(db)
  await sql`insert into known_devices (member_id, device_hash) values (${memberId}, ${hashes[0]})
    on conflict (member_id, device_hash) do update set seen_at = now()`.execute(db)
  return known.length === 0
}

/** Emails a member about their sign-in if its device is new. Remembers nothing about members without an email address. */
export async function emailNewDevice(
  trx: Transaction,
  { links, emailMember, siteName }: { links: EmailLinks; emailMember: EmailMember; siteName: () => string },
  memberId: number,
  client: Client,
): Promise<void> {
  const { rows } = await sql`select from email_addresses where member_id = ${memberId} and address is not null`.execute(
    trx,
  )
  if (rows.length === 0 || !(await rememberDevice(trx, links, memberId, client))) return
  const device = describeDevice(client.headers['user-agent']) || 'An unknown device'
  await emailMember(trx, {
    memberId,
    kind: 'sign_in',
    content: {
      subject: `New sign-in to ${siteName()}`,
      blocks: [
        {
          type: 'text',
          text: `${device}, ${formatTime(new Date())}.\nThe browser or its network is new for your account.`,
        },
        {
          type: 'text',
          text: 'If this was you, there is nothing to do. If not, sign out everywhere and change your Discord password.',
        },
        { type: 'button', label: 'See your sessions', url: '/profile/settings?tab=sessions' },
      ],
    },
  })
}
