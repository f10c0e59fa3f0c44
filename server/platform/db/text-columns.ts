import { cleanLine, cleanText, isBlank } from '@scriptyard/text'
import type { DB } from './types.generated.ts'

interface TextColumns {
  lines?: readonly string[]
  texts?: readonly string[]
}

/** The columns with texts of people: lines are shown inside of others, texts may have several lines. */
export const TEXT_COLUMNS: Partial<Record<keyof DB, TextColumns>> = {
  api_tokens: { lines: ['name'] },
  branding: { lines: ['name', 'tagline'], texts: ['rules', 'terms', 'privacy'] },
  broadcasts: { lines: ['title'], texts: ['message'] },
  collection_items: { texts: ['note'] },
  collections: { lines: ['name'], texts: ['description'] },
  comments: { texts: ['text'] },
  games: { lines: ['name'] },
  giveaways: { lines: ['title'], texts: ['description', 'prize_description'] },
  members: { lines: ['username', 'display_name', 'location', 'title', 'custom_badge'], texts: ['bio', 'notes'] },
  notifications: { lines: ['title'], texts: ['message'] },
  ratings: { texts: ['review', 'reply'] },
  report_cases: { lines: ['title'], texts: ['appeal', 'appeal_decision', 'decision', 'excerpt'] },
  reports: { texts: ['text'] },
  repository_syncs: { lines: ['changelog'] },
  sanctions: { texts: ['reason'] },
  script_screenshots: { lines: ['alt'] },
  script_versions: { lines: ['version'], texts: ['changelog'] },
  scripts: { lines: ['title', 'summary', 'version'], texts: ['description', 'requirements', 'showcase_notes'] },
  works_votes: { texts: ['note'] },
}

const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/g

/** Never longer than before: a text within the limit of its column stays within it. */
function cleanStoredText(text: string): string {
  const cleaned = cleanText(text)
  return cleaned.length > text.length ? cleanText(text.replaceAll(DIRECTION, '')) : cleaned
}

/** The texts of a row that cleaning changes, by column. Those of which nothing would be left stay as they are. */
export function cleanColumns(table: keyof DB, row: Readonly<Record<string, unknown>>): Record<string, string> {
  const { lines = [], texts = [] } = TEXT_COLUMNS[table] ?? {}
  const changed: Record<string, string> = {}
  const add = (column: string, clean: (text: string) => string) => {
    const text = row[column]
    if (typeof text !== 'string') return
    const cleaned = clean(text)
    if (cleaned !== text && !isBlank(cleaned)) changed[column] = cleaned
  }
  for (const column of lines) add(column, cleanLine)
  for (const column of texts) add(column, cleanStoredText)
  return changed
}
