import type pg from 'pg'

/**
 * Tables whose rows are positions in the history of one PostgreSQL server: of no use on another, where transactions have
 * other numbers. Readers of the change feed start over after a restore.
 */
const SERVER_LOCAL_TABLES = ['catalogue_changes', 'catalogue_feed']

export interface Table {
  name: string
  /** Without generated ones. */
  columns: string[]
}

/** The tables of a backup. Unlogged ones are left out, which a crash of PostgreSQL empties as well. */
export async function findTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
       and c.relname ~ '^[a-z0-9_]+$' and c.relname <> all ($1) and not exists (
         select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     group by c.oid, c.relname order by c.relname collate "C"`,
    [SERVER_LOCAL_TABLES],
  )
  return rows
}

/** All tables of the site, also those that a backup leaves out. */
export async function findAllTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname::text as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not exists (
       select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`,
  )
  return rows.map(({ name }) => name)
}

/** Index snapshots of this database from before are not used any more. The column has another name in earlier versions. */
export async function endChangeFeed(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ command: string }>(
    `select format('update catalogue_feed set %I = pg_current_xact_id()', attname) as command from pg_attribute
     where attrelid = to_regclass('public.catalogue_feed') and atttypid = 'xid8'::regtype and not attisdropped`,
  )
  for (const { command } of rows) await client.query(command)
}

export async function findSequences(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'S' and relpersistence = 'p' order by relname collate "C"`,
  )
  return rows.map(({ name }) => name)
}

/** Makes every server write the same text for the same value, and rows in the order in which they are stored. */
export async function setTextFormat(client: pg.ClientBase): Promise<void> {
  await client.query(`set client_encoding = 'UTF8'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
    set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex'; set xmloption = 'content';
    set synchronize_seqscans = off`)
}

export const quote = (client: pg.ClientBase, name: string): string => `public.${client.escapeIdentifier(name)}`

const columnList = (client: pg.ClientBase, { columns }: Table) =>
  columns.map((column) => client.escapeIdentifier(column)).join(', ')

export const copyOut = (client: pg.ClientBase, table: Table): string =>
  `copy ${quote(client, table.name)} (${columnList(client, table)}) to stdout`

export const copyIn = (client: pg.ClientBase, table: Table): string =>
  `copy ${quote(client, table.name)} (${columnList(client, table)}) from stdin`
