import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import {
  canChangeScripts,
  canWrite,
  DEFAULT_TOKEN_LIFETIME,
  MAX_TOKEN_NAME_LENGTH,
  MAX_TOKENS,
  MAX_WRITING_LIFETIME,
  TOKEN_SCOPES,
} from '#contract/limits.ts'
import type { ApiToken, NewToken } from '#contract/tokens.ts'
import type { Provenance } from '#contract/versions.ts'
import { BackgroundWrites } from '#server/platform/db/background-writes.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { publishedBy } from '#server/platform/authorization/publisher.ts'
import type { TokenUse } from '#server/platform/authorization/guards.ts'
import { isActive, transactAsMember } from '#server/features/members/standing.ts'
import { notify } from '#server/features/notifications/notify.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { FieldErrors, invalidField } from '#server/platform/http/field-errors.ts'
import { parseLine } from '#server/platform/http/text.ts'
import { hashToken, isWellFormed, makeToken } from './secret.ts'

/** Time for which expired tokens are listed, and after which they are deleted. */
const RECORD_USE_EVERY_MS = 60_000
const HINT_CHARACTERS = 4

type TokenRow<T = ApiToken> = Omit<T, 'created_at' | 'expires_at' | 'last_used_at'> & {
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
}

const SCRIPTS = sql<ApiToken['scripts']>`case when api_tokens.script_ids is not null then coalesce(
  (select json_agg(json_build_object('id', s.id, 'title', s.title) order by s.title, s.id)
    from scripts s where s.id = any(api_tokens.script_ids)), '[]') end`.as('scripts')
const COLUMNS = ['id', 'name', 'hint', 'scopes', SCRIPTS, 'created_at', 'expires_at', 'last_used_at'] as const

const toToken = (row: TokenRow): ApiToken => ({ ...toTokenWithoutScripts(row), scripts: row.scripts })

const toTokenWithoutScripts = ({
  created_at,
  expires_at,
  last_used_at,
  scopes,
  ...row
}: TokenRow<TokenUse['token']>): TokenUse['token'] => ({
  ...row,
  // A scope that no longer exists allows nothing.
  scopes: TOKEN_SCOPES.filter((scope) => scopes.includes(scope)),
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
  last_used_at: last_used_at && last_used_at.toISOString(),
})

export async function listTokens(db: Database, memberId: number): Promise<ApiToken[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .select(COLUMNS)
    .where('member_id', '=', memberId)
    .where('publisher_ids', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => toToken(row as TokenRow))
}

/** The scripts that a token may change, without those that were deleted; null for all. */
export async function findTokenScripts(db: Database, { scriptIds }: TokenUse): Promise<ApiToken['scripts']> {
  if (!scriptIds) return null
  return db
    .selectFrom('scripts')
    .select(['id', 'title'])
    .where('id', 'in', [...scriptIds])
    .orderBy('title')
    .orderBy('id')
    .execute()
}

/** Notifies the member. Returns the token, of which only the hash is stored. Throws AppError `invalid`, `too_many_tokens`. */
export async function createToken(
  db: Database,
  memberId: number,
  { name, scopes, expires_in_days = DEFAULT_TOKEN_LIFETIME, script_ids = null }: NewToken,
): Promise<{ token: string; info: ApiToken }> {
  const errors = new FieldErrors()
  const line = parseLine(name, { field: 'name', maxLength: MAX_TOKEN_NAME_LENGTH }, errors)
  if (scopes.length === 0) errors.add('scopes', 'Choose at least one thing that the token may do.')
  if (canWrite(scopes) && expires_in_days > MAX_WRITING_LIFETIME) {
    errors.add('expires_in_days', `A token that writes lives at most ${MAX_WRITING_LIFETIME} days.`)
  }
  if (script_ids && !canChangeScripts(scopes)) {
    errors.add('script_ids', 'Only a token that changes scripts can be limited to some of them.')
  }
  errors.throwIfAny()
  const token = makeToken()
  // Exclusive, so that concurrent requests cannot pass the limit.
  return transactAsMember(db, { memberId, allowMuted: true, exclusive: true }, async (trx) => {
    await requireRoom(trx, memberId)
    if (script_ids) await requireOwnScripts(trx, memberId, script_ids)
    const row = await trx
      .insertInto('api_tokens')
      .values({
        member_id: memberId,
        token_hash: hashToken(token),
        name: line,
        hint: token.slice(-HINT_CHARACTERS),
        scopes: TOKEN_SCOPES.filter((scope) => scopes.includes(scope)),
        expires_at: sql<Date>`now() + ${expires_in_days} * interval '1 day'`,
        script_ids: script_ids && [...script_ids],
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
    const info = toToken(row as TokenRow)
    await audit(trx, memberId, 'create_api_token', { after: describe(info) })
    await notify(trx, {
      memberId,
      kind: 'security',
      type: 'info',
      title: 'New API token',
      message: `The API token “${line}” was created for your account. If this was not you, revoke it and sign out everywhere.`,
      link: '/profile/settings?tab=tokens',
    })
    return { token, info }
  })
}

async function requireOwnScripts(trx: Transaction, memberId: number, scriptIds: readonly number[]): Promise<void> {
  const { rows: own } = await sql`select from scripts
    where id = any(${scriptIds}::int[]) and author_id = ${memberId}`.execute(trx)
  if (own.length < scriptIds.length) throw invalidField('script_ids', 'Choose only scripts of your own.')
}

async function requireRoom(trx: Transaction, memberId: number): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*) from api_tokens
    where member_id = ${memberId} and expires_at > now() and publisher_ids is null`.execute(trx)
  if ((rows[0]?.count ?? 0) < MAX_TOKENS) return
  throw new AppError('too_many_tokens', 409, `You can have ${MAX_TOKENS} API tokens. Revoke one you no longer use.`)
}

const PUBLISHING_SECONDS = 15 * 60

/** Valid for 15 minutes, as long as the trusted publishers exist. The caller has locked the member. */
export async function createPublishingToken(
  trx: Transaction,
  memberId: number,
  publisherIds: readonly number[],
  provenance: Provenance,
): Promise<{ token: string; expiresAt: Date }> {
  const token = makeToken()
  const { expires_at } = await trx
    .insertInto('api_tokens')
    .values({
      member_id: memberId,
      token_hash: hashToken(token),
      name: 'Trusted publishing',
      hint: token.slice(-HINT_CHARACTERS),
      scopes: ['versions:write'],
      expires_at: sql<Date>`now() + ${PUBLISHING_SECONDS} * interval '1 second'`,
      publisher_ids: [...publisherIds],
      provenance: JSON.stringify(provenance),
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { token, expiresAt: expires_at }
}

/** The log stores no names, so that they disappear with the accounts. */
const describe = ({ id, scopes, expires_at }: ApiToken) => ({ id, scopes: scopes.join(', '), expires_at })

const audit = (trx: Transaction, memberId: number, action: string, change: { before?: unknown; after?: unknown }) =>
  writeAudit(trx, { actorId: memberId, action, subjectType: 'member', subjectId: memberId, memberId, ...change })

/** Revokes a member's token. Every process asks the database at each request, so it is rejected from the commit on. */
export async function revokeToken(db: Database, memberId: number, id: string): Promise<void> {
  await transactAsMember(db, { memberId, allowMuted: true }, async (trx) => {
    const row = await trx
      .deleteFrom('api_tokens')
      .where('id', '=', id)
      .where('member_id', '=', memberId)
      .where('publisher_ids', 'is', null)
      .returning(COLUMNS)
      .executeTakeFirst()
    if (!row) throw notFound('This API token')
    await audit(trx, memberId, 'revoke_api_token', { before: describe(toToken(row as TokenRow)) })
  })
}

interface UseRow extends TokenRow<TokenUse['token']> {
  memberId: number
  personId: number
  username: string
  slug: string
  /** `Infinity` for a mute without an end. */
  mutedUntil: Date | number | null
  now: Date
  /** Null for a token that a member has created. */
  publisherIds: number[] | null
  provenance: Provenance | null
  ownScriptIds: number[] | null
}

const tokenInvalid = () =>
  new AppError('token_invalid', 401, 'This API token is not valid. Check that it is complete, or create a new one.', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  })

const tokenExpired = () =>
  new AppError('token_expired', 401, 'This API token has expired. Create a new one in your settings.', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token", error_description="The token has expired"' },
  })

/** Finds the member of an API token and records the last use, at most once a minute. */
export class Tokens {
  readonly #db: Database
  readonly #writes: BackgroundWrites

  constructor(db: Database, log: FastifyBaseLogger) {
    this.#db = db
    this.#writes = new BackgroundWrites(log, 'token use not recorded')
  }

  /** The member without roles: no token acts as a moderator or admin. Throws AppError `token_expired`, `token_invalid`. */
  async authenticate(token: string): Promise<TokenUse> {
    // A damaged token costs no query.
    if (!isWellFormed(token)) throw tokenInvalid()
    // Compared here and not in the database, where planning takes most of the time of this query.
    const { rows } =
      await sql<UseRow>`select t.id, t.name, t.hint, t.scopes, t.created_at, t.expires_at, t.last_used_at,
        m.id as "memberId", (select id from persons where member_id = m.id) as "personId", m.username, m.slug, m.muted_until as "mutedUntil", now() as now,
        t.publisher_ids as "publisherIds", t.provenance, t.script_ids as "ownScriptIds"
      from api_tokens t join members m on m.id = t.member_id
      where t.token_hash = ${hashToken(token)} and ${isActive('m')}`.execute(this.#db)
    const [row] = rows
    if (!row) throw tokenInvalid()
    const { memberId, personId, username, slug, mutedUntil, now, publisherIds, provenance, ownScriptIds, ...info } = row
    if (info.expires_at <= now) throw tokenExpired()
    const scriptIds = publisherIds ? await this.#findScripts(publisherIds) : ownScriptIds
    if (now.getTime() - (info.last_used_at?.getTime() ?? 0) > RECORD_USE_EVERY_MS) {
      this.#writes.add(recordUse(this.#db, info.id))
    }
    const isMuted = mutedUntil !== null && mutedUntil > now
    const endOfMute = isMuted && mutedUntil instanceof Date ? mutedUntil : null
    const caller = { id: memberId, personId, username, slug, isMuted, mutedUntil: endOfMute }
    return {
      caller: {
        ...caller,
        isAdmin: false,
        isModerator: false,
        hasRecentSignIn: false,
        isToken: true,
        publisher: provenance
          ? { provenance, tokenId: info.id }
          : publishedBy(publisherIds ? 'build' : 'token', info.id),
      },
      token: toTokenWithoutScripts(info),
      ...(scriptIds && { scriptIds }),
    }
  }

  /** The scripts of trusted publishers. Throws AppError `token_invalid` if none is left. */
  async #findScripts(publisherIds: readonly number[]): Promise<number[]> {
    const { rows } = await sql<{ script_id: number }>`select script_id from trusted_publishers
      where id = any(${publisherIds}::int[]) order by script_id`.execute(this.#db)
    if (rows.length === 0) throw tokenInvalid()
    return rows.map(({ script_id }) => script_id)
  }

  async close(): Promise<void> {
    await this.#writes.close()
  }
}

// The condition lets only the first of concurrent requests write.
const recordUse = (db: Database, id: string) =>
  sql`update api_tokens set last_used_at = now() where id = ${id}
    and (last_used_at is null or last_used_at < now() - ${RECORD_USE_EVERY_MS} * interval '1 millisecond')`.execute(db)
