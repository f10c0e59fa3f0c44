import type pg from 'pg'
import type { Received } from './client.ts'
import type { Report } from './report.ts'

/** Words of a stack trace, of SQL, of the file system and of libraries. */
const INTERNAL =
  /\bat \S+ \(|\.ts:\d+|node_modules|\/work\/|\/home\/|\/root\/|\/tmp\/|violates|duplicate key|syntax error at|relation "|column "|pg_|kysely|typebox|fastify|ECONNREFUSED|ENOENT|TypeError|RangeError|undefined is not/i

/** No 5xx, no broken connection, no internal word, and a sentence with a code in every error. */
export function checkResponse(report: Report, name: string, { status, text }: Received, isFault = false): void {
  const isBusy = status === 503 && isFault
  const isBroken = status === 0 && isFault
  report.check(
    isBusy || isBroken || (status > 0 && status < 500),
    () => `${name} answered ${status} ${text.slice(0, 200)}`,
  )
  if (status < 400 || text === '') return
  const leaked = INTERNAL.exec(text)?.[0]
  report.check(leaked === undefined, () => `${name} answered ${status} with the internal word "${leaked}"`)
  report.check(isProblem(text), () => `${name} answered ${status} without a sentence and a code: ${text.slice(0, 200)}`)
}

function isProblem(text: string): boolean {
  try {
    const { error, code } = JSON.parse(text) as { error?: unknown; code?: unknown }
    return typeof error === 'string' && error.length > 0 && typeof code === 'string'
  } catch {
    return false
  }
}

/** Stored sums and rows that belong together, each as a query of rows that contradict. */
const CONTRADICTIONS: Record<string, string> = {
  'ratings and star counts': `select script_id from script_stats s
      where rating_count <> (select count(*) from ratings r where r.script_id = s.script_id and r.is_counted)`,
  'giveaways and their entries': `select id from giveaways g
      where entry_count <> (select count(*) from giveaway_entries e where e.giveaway_id = g.id)`,
  'scripts and their versions, counters and search documents': `select s.id from scripts s
      where not exists (select from script_versions v where v.script_id = s.id)
        or not exists (select from script_stats t where t.script_id = s.id)
        or not exists (select from script_search d where d.script_id = s.id)`,
  'current versions and the states of versions': `select s.id from scripts s where s.is_public
      and s.current_version is distinct from (select v.number from script_versions v
        where v.script_id = s.id and v.state = 'published' order by v.state_since desc, v.number desc limit 1)`,
  'checks that are never over': `select script_id from script_versions
      where state = 'checking' and state_since < now() - interval '2 minutes'`,
  'sizes and codes': `select script_id from script_versions where size <> octet_length(content)`,
}

export async function checkSums(report: Report, pool: pg.Pool): Promise<void> {
  for (const [name, query] of Object.entries(CONTRADICTIONS)) {
    const { rowCount } = await pool.query(query)
    report.check(rowCount === 0, () => `${name} contradict each other in ${rowCount} rows`)
  }
}
