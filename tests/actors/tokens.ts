import { randomBytes } from 'node:crypto'
import { type OperationName, operations } from '#contract/operations.ts'
import type { Operation } from '#contract/operation.ts'
import { INCLUDED_SCOPES, TOKEN_SCOPES, type TokenScope } from '#contract/limits.ts'
import { makeApiToken } from '#tests/support/factories.ts'
import type { TestApp } from '#tests/support/app.ts'
import type { Statuses } from './rights.ts'
import { type Actor, makeScene, type Scene } from './scene.ts'

/** Kinds of API token, by the member who has created it. */
export const TOKEN_ACTORS = {
  'a token of the owner': 'owner',
  'a token of a muted member': 'muted',
  'a token of a moderator': 'moderator',
  'a token of an admin': 'admin',
  'a token with every other scope': 'owner',
  'a token for another script': 'owner',
  'a token of a banned member': 'banned',
  'an expired token': 'owner',
  'a revoked token': 'owner',
  'a truncated token': 'owner',
  'a token with one changed bit': 'owner',
  'an unknown token of the right form': 'owner',
} as const satisfies Record<string, Actor>
export type TokenActor = keyof typeof TOKEN_ACTORS

export const scopeOf = (name: OperationName): Operation['scope'] => (operations[name] as Operation).scope

const VALID: ReadonlySet<TokenActor> = new Set<TokenActor>([
  'a token of the owner',
  'a token of a muted member',
  'a token of a moderator',
  'a token of an admin',
  'a token with every other scope',
  'a token for another script',
])

/** Whether tokens of this kind are rejected before anything else is looked at. */
export const isNeverValid = (actor: TokenActor): boolean => !VALID.has(actor)

/** Scopes of operations that publish, change or delete a script. Uploads and checks of code change none. */
const changesScript = (name: OperationName): boolean =>
  (scopeOf(name) === 'scripts:write' || scopeOf(name) === 'versions:write') &&
  name !== 'POST /api/media' &&
  name !== 'POST /api/script-check'

/** The status for an API token, derived from the operation's scope and from what its member may do by session. */
export function expectedFor(name: OperationName, expected: Statuses, actor: TokenActor): number {
  // Feeds are pages, which ignore tokens.
  if (!name.includes(' /api/')) return expected.visitor
  if (isNeverValid(actor)) return 401
  const scope = scopeOf(name)
  if (name === 'GET /api/token') return 200
  // The login token is expected in the same header.
  if (name === 'GET /api/user-profile') return 401
  const asVisitor = expected.visitor === 401 ? 403 : expected.visitor
  if (!scope || actor === 'a token with every other scope') return asVisitor
  if (actor === 'a token for another script' && changesScript(name)) return 403
  const owner: Actor = TOKEN_ACTORS[actor]
  // A token has no role.
  return expected[owner === 'moderator' || owner === 'admin' ? 'member' : owner]
}

const flipBit = (text: string, index: number) =>
  text.slice(0, index) + String.fromCodePoint((text.codePointAt(index) ?? 0) ^ 1) + text.slice(index + 1)

/** A scene whose headers have an API token instead of a session. */
export async function makeTokenScene(site: TestApp, name: OperationName, actor: TokenActor): Promise<Scene> {
  const { db } = site
  const scene = await makeScene(site, TOKEN_ACTORS[actor])
  const scope = scopeOf(name)
  const scopes: TokenScope[] = TOKEN_SCOPES.filter(
    (each) =>
      actor !== 'a token with every other scope' ||
      (each !== scope && !(INCLUDED_SCOPES[each] as readonly unknown[] | undefined)?.includes(scope)),
  )
  // A banned member cannot create one.
  const token = await makeApiToken(db, actor === 'a token of a banned member' ? scene.ownerId : scene.actorId, scopes)
  const update = (values: { member_id?: number; expires_at?: Date; token_hash?: Buffer; script_ids?: number[] }) =>
    db.updateTable('api_tokens').set(values).where('id', '=', token.id).execute()
  if (actor === 'a token of a banned member') await update({ member_id: scene.actorId })
  if (actor === 'a token for another script') await update({ script_ids: [scene.scriptId + 1] })
  if (actor === 'an expired token') await update({ expires_at: new Date(Date.now() - 1000) })
  if (actor === 'a revoked token') await db.deleteFrom('api_tokens').where('id', '=', token.id).execute()
  if (actor === 'an unknown token of the right form') await update({ token_hash: randomBytes(32) })
  const { authorization } = token
  if (actor === 'a truncated token') return { ...scene, headers: { authorization: authorization.slice(0, -1) } }
  if (actor === 'a token with one changed bit')
    return { ...scene, headers: { authorization: flipBit(authorization, 20) } }
  return { ...scene, headers: { authorization } }
}
