// Games that scripts are made for. An author names a game that has no name, and moderators may change the name.
import { sql } from 'kysely'
import type { Game } from '#contract/catalogue.ts'
import type { BodyOf } from '#contract/operations.ts'
import { checkGameName } from '#contract/script-fields.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { invalidField } from '#server/platform/http/field-errors.ts'
import { isListed } from '#server/features/members/public-content.ts'
import { lockModerator } from '#server/features/members/standing.ts'
import { refreshGame } from './search-document.ts'
import { prefixQuery } from './sql-catalogue.ts'
import { wordsOf } from './words.ts'

export const gameNotFound = () => new AppError('game_not_found', 404, 'No public scripts are made for this game.')

/** Undefined if no script was ever published for the game. */
async function lockGame(trx: Transaction, gameId: string): Promise<{ name: string | null } | undefined> {
  const { rows } = await sql<{
    name: string | null
  }>`select name from games where game_id = ${gameId} for share`.execute(trx)
  return rows[0]
}

/** Returns whether the name was changed. A name that no visitor can see, nor any moderator chose, gives way to a new one. */
async function proposeName(trx: Transaction, gameId: string, name: string): Promise<boolean> {
  const { rows } = await sql`update games g set name = ${name}, document = ${gameDocument(name)}::tsvector
    where g.game_id = ${gameId} and (g.name is null or g.name <> ${name} and not g.is_staff_name
      and not exists (select from scripts s where s.game_id = g.game_id and ${isListed('s')}))
    returning 1`.execute(trx)
  return rows.length > 0
}

/** The words of a name as a tsvector. */
export const gameDocument = (name: string) => [...new Set(wordsOf(name))].map((word) => `'${word}':1`).join(' ')

/**
 * Records that a script is made for a game, and names the game if it has no name. Returns its name. Call it in the transaction
 * that writes the script, after its row and before its search document: the lock orders it before or after a new name.
 */
export async function enterGame(trx: Transaction, gameId: string | null, name: string | null): Promise<string | null> {
  if (gameId === null) return null
  if (!(await lockGame(trx, gameId))) {
    await sql`insert into games (game_id) values (${gameId}) on conflict do nothing`.execute(trx)
  }
  if (name !== null && (await proposeName(trx, gameId, name))) await refreshGame(trx, gameId)
  return (await lockGame(trx, gameId))?.name ?? null
}

/** Throws AppError `invalid`, `forbidden` and `game_not_found`. */
export async function renameGame(
  db: Database,
  moderatorId: number,
  { id: gameId, name: raw }: BodyOf<'PUT /api/game'>,
): Promise<void> {
  const { value: name, problem } = checkGameName(raw)
  if (problem) throw invalidField('name', problem.message)
  await db.transaction().execute(async (trx) => {
    await lockModerator(trx, moderatorId)
    const { rows } = await sql<{ id: number; name: string | null }>`select g.id, g.name from games g
      where g.game_id = ${gameId} and exists (select from scripts s where s.game_id = g.game_id and ${isListed('s')})
      for no key update of g`.execute(trx)
    const [before] = rows
    if (!before) throw gameNotFound()
    await sql`update games set name = ${name}, document = ${gameDocument(name)}::tsvector, is_staff_name = true
      where id = ${before.id}`.execute(trx)
    await writeAudit(trx, {
      actorId: moderatorId,
      action: 'name_game',
      subjectType: 'game',
      subjectId: before.id,
      before: { name: before.name },
      after: { name },
    })
    if (before.name !== name) await refreshGame(trx, gameId)
  })
}

export async function findGameName(db: Database, gameId: string): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`select name from games where game_id = ${gameId}`.execute(db)
  return rows[0]?.name ?? null
}

export type NamedGame = Pick<Game, 'game_id'> & { name: string }

/** Games are read to find those with the most scripts. */
const MAX_GAMES_READ = 1000

/** Games with all the words in their names, by prefix, in no particular order. */
export async function findGames(db: Database, words: string[]): Promise<NamedGame[]> {
  if (words.length === 0) return []
  const { rows } = await sql<NamedGame>`select game_id, name from games
    where document @@ ${prefixQuery(words)}::tsquery and name is not null limit ${MAX_GAMES_READ}`.execute(db)
  return rows
}
