import { sql } from 'kysely'
import { CAPABILITY_TITLES, CAPABILITY_IDS, type CapabilityId } from '#contract/behavior-names.ts'
import type { Card } from '#contract/catalogue.ts'
import { readScriptId } from '#contract/slug.ts'
import type { WorksSummary } from '#contract/works.ts'
import type { Database } from '#server/platform/db/database.ts'
import { findPublicCard } from '#server/features/scripts/read.ts'
import { getWorks } from '#server/features/works/queries.ts'
import { AppError } from '#server/platform/http/errors.ts'

export interface Facts {
  card: Card
  works: WorksSummary
  /** What the code does besides the card's warning, most important first; null until it is known. */
  behavior: string[] | null
}

/** The most important capabilities. */
const FIRST: readonly CapabilityId[] = [
  'net.exfiltration',
  'net.webhook',
  'code.remote',
  'shape.obfuscated',
  'user.identity',
  'user.purchase',
]

/** The facts of a public script. Takes any slug that ends in the id; undefined if there is no such script. */
export async function findFacts(reads: Database, slug: string): Promise<Facts | undefined> {
  const id = readScriptId(slug)
  if (id === null) return undefined
  const [card, works, behavior] = await Promise.all([
    findPublicCard(reads, id),
    getWorks(reads, id, undefined).catch(undefinedIfMissing),
    findBehavior(reads, id),
  ])
  if (!card || !works) return undefined
  const others = behavior?.filter((each) => each !== card.warning?.id).map((each) => CAPABILITY_TITLES[each])
  return { card, works: works.summary, behavior: others ?? null }
}

function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof AppError) || error.status !== 404) throw error
}

async function findBehavior(reads: Database, id: number): Promise<CapabilityId[] | null> {
  const { rows } = await sql<{ capabilities: CapabilityId[] }>`select capabilities from script_behaviors
    where script_id = ${id} and status = 'ready'`.execute(reads)
  const [row] = rows
  if (!row) return null
  const ordered = [...FIRST, ...CAPABILITY_IDS.filter((capability) => !FIRST.includes(capability))]
  return ordered.filter((capability) => row.capabilities.includes(capability))
}
