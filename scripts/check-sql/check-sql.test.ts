import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase } from '#tests/support/database.ts'
import { checkSql, type SqlReport } from './check.ts'
import { openDescriber } from './prepare.ts'
import { Program } from './program.ts'

const TABLES = `create table authors (id integer primary key, name text not null, bio text, banned_until timestamptz);
  create table books (id integer primary key, author_id integer not null references authors (id), title text not null)`

const HEAD = `import { type Kysely, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
type Db = Kysely<{ authors: { id: number; name: string } }>
`
const FIRST_LINE = HEAD.split('\n').length

/** What is checked, the code, and what is reported of it: line, from the first one of the code, and text. */
type Case = [name: string, code: string, ...reports: string[]]

const rows = (name: string, type: string, columns: string, ...differences: string[]): Case => [
  `rows: ${name}`,
  `export const find = (db: Db) => sql<{ ${type} }>\`select ${columns} from authors\`.execute(db)`,
  ...differences.map((difference) => `1: ${difference}`),
]

const parameter = (type: string, condition: string, ...differences: string[]): Case => [
  `parameters: ${type} in "${condition}"`,
  `export const find = (db: Db, x: ${type}) => sql\`select from authors where ${condition}\`.execute(db)`,
  ...differences.map((difference) => `1: ${difference}`),
]

const PROBLEMS: Case[] = [
  rows('right columns', 'id: number; name: string; bio: string | null', 'id, name, bio'),
  rows('a column that does not exist', 'id: number', 'number as id', 'column "number" does not exist'),
  rows('a column that is not selected', 'name: string', 'id', 'the type has "name", the result has not'),
  rows('an optional column that is not selected', 'id: number; name?: string', 'id'),
  rows('a wrong type', 'id: string', 'id', '"id" is int4, the type is string'),
  rows('a column that can be null', 'bio: string', 'bio', '"bio" can be null, the type is string'),
  rows('a column that is never null', 'name: string | null', 'name', '"name" is never null, its type says so'),
  rows('an expression', 'total: number', 'count(*) as total'),
  rows('an expression of a wrong type', 'n: string', 'count(*) as n', '"n" is int8, the type is string'),
  rows('a time, which may be infinite', 'banned_until: Date | number | null', 'banned_until'),
  rows('a time as a text', 'at: string | null', 'banned_until as at', '"at" is timestamptz, the type is string | null'),
  [
    'rows: a condition may exclude null, and an outer join may add it',
    `export const find = (db: Db) => [
      sql<{ about: string }>\`select bio as about from authors where bio is not null\`.execute(db),
      sql<{ name: string | null }>\`select a.name from books b left join authors a on a.id = b.author_id\`.execute(db)]`,
  ],
  [
    'rows: a type of several statements may allow what only one of them returns',
    `interface Text { text: string | null }
    export const find = (db: Db, isLong: boolean) =>
      sql<Text>\`select \${isLong ? sql\`bio\` : sql\`name\`} as text from authors\`.execute(db)`,
  ],
  parameter('number', 'id = ${x}'),
  parameter('string', 'id = ${x}', 'the parameter x is int4, its type is string'),
  parameter('number', 'name = ${x}', 'the parameter x is text, its type is number'),
  parameter('string | null', 'name = ${x}'),
  parameter('string[]', 'name = any(${x})'),
  parameter('number[]', 'name = any(${x})', 'the parameter x is text[], its type is number[]'),
  parameter('string', 'banned_until < ${x}'),
  parameter('number', 'id < ${x}::numeric'),
  parameter('boolean', '${x}'),
  [
    'clients of pg',
    `export const find = (client: pg.Client) => [
      client.query<{ id: string }>('select id from authors where id = $1', [1]),
      client.query(\`set local timezone = 'UTC'; select from author\`)]`,
    '2: "id" is int4, the type is string',
    '3: relation "author" does not exist',
  ],
  [
    'branches: each value of a record',
    `const SORTS = { name: sql\`name\`, age: sql\`age\` }
    export const find = (db: Db, sort: keyof typeof SORTS) =>
      sql\`select from authors order by \${SORTS[sort]}\`.execute(db)`,
    '3: column "age" does not exist',
  ],
  [
    'branches: conditions that a function adds to a list',
    `const isNamed = (alias: string, name?: string) =>
      name === undefined ? sql\`true\` : sql\`\${sql.ref(alias + '.name')} = \${name}\`
    function conditionsOf(text: string | undefined) {
      const conditions: RawBuilder<unknown>[] = [isNamed('a', 'Ada'), isNamed('x')]
      if (text !== undefined) conditions.push(sql\`text = \${text}\`)
      return conditions
    }
    export const find = (db: Db, text?: string) =>
      sql\`select from authors a where \${sql.join(conditionsOf(text), sql\` and \`)}\`.execute(db)`,
    '9: column "text" does not exist',
  ],
  [
    'branches: the arguments of the calls of a function',
    `const find = (db: Db, condition: RawBuilder<unknown>, table: string) =>
      sql\`select from \${sql.table(table)} where \${condition}\`.execute(db)
    export const findBook = (db: Db) => find(db, sql\`title = ''\`, 'books')
    export const findAuthor = (db: Db) => find(db, sql\`title = ''\`, 'authors')`,
    '2: column "title" does not exist',
  ],
  [
    'expressions in queries of the query builder',
    `export const find = (db: Db) => [
      db.selectFrom('authors').select(sql<string>\`length(name)\`.as('length')),
      db.selectFrom('authors').select(sql<number>\`length(name)\`.as('length'))]`,
    '2: "length" is int4, the type is string',
  ],
]

const NOT_CHECKED: Case[] = [
  [
    'names and texts that only a running server knows',
    `export const find = (db: Db, client: pg.Client, text: string) => [
      sql\`select from \${sql.table(text)}\`.execute(db),
      client.query(text)]`,
    '2: unknown until it runs: sql.table(text)',
    '3: unknown until it runs: text',
  ],
  [
    'commands for replicas',
    `export const find = (client: pg.Client) => client.query('IDENTIFY_SYSTEM')`,
    '1: a command for replicas',
  ],
]

const CASES = [...PROBLEMS, ...NOT_CHECKED]
const fileOf = (of: Case) => `server/case-${CASES.indexOf(of)}.ts`

let report: SqlReport

// All cases are one program, because opening one takes most of the time.
beforeAll(async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'scriptyard-sql-'))
  symlinkSync(path.resolve(import.meta.dirname, '../../node_modules'), path.join(root, 'node_modules'))
  mkdirSync(path.join(root, 'server'))
  const compilerOptions = { target: 'es2024', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true }
  writeFileSync(path.join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['server'] }))
  for (const each of CASES) writeFileSync(path.join(root, fileOf(each)), HEAD + each[1])
  const database = await createEmptyDatabase()
  await database.pool.query(TABLES)
  const client = await database.pool.connect()
  const program = new Program(root, (file) => file.startsWith('server/'))
  report = await checkSql(program, await openDescriber(client))
  program.close()
  client.release()
  await database.drop()
  rmSync(root, { recursive: true, force: true })
})
const expected = (of: Case) => {
  const [, , ...reports] = of
  return reports.map((text) => text.replace(/^\d+/, (line) => `${fileOf(of)}:${FIRST_LINE + Number(line) - 1}`))
}

test.each(PROBLEMS.map((each) => ({ name: each[0], each })))('problems: $name', ({ each }) => {
  expect(report.problems.filter((problem) => problem.startsWith(`${fileOf(each)}:`))).toEqual(expected(each))
})

test('texts that are not checked', () => {
  expect(report.notChecked).toEqual(NOT_CHECKED.flatMap(expected))
})

test('all other texts are checked', () => {
  expect(report.checked).toBe(40)
})
