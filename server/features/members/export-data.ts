import type { Database } from '#server/db/database.ts'
import { readPages, type Section } from './export-section.ts'

/**
 * Everything about a member as the pieces of one JSON document, a page of rows at a time: it may be far larger than what
 * should be in memory, and nobody who reads slowly keeps a connection to the database.
 */
export async function* exportMember(db: Database, sections: Section[], memberId: number): AsyncGenerator<string> {
  yield `{\n"exported_at": ${JSON.stringify(new Date())}`
  for (const section of sections) {
    yield `,\n${JSON.stringify(section.name)}: `
    yield* section.isSingle ? exportRow(db, section, memberId) : exportList(db, section, memberId)
  }
  yield '\n}\n'
}

async function* exportRow(db: Database, section: Section, memberId: number): AsyncGenerator<string> {
  const { value } = await readPages(db, section, memberId).next()
  yield JSON.stringify(Array.isArray(value) ? value[0] : null)
}

async function* exportList(db: Database, section: Section, memberId: number): AsyncGenerator<string> {
  let before = '['
  for await (const rows of readPages(db, section, memberId)) {
    yield `${before}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`
    before = ','
  }
  yield before === '[' ? '[]' : '\n]'
}
