// Asks PostgreSQL what a statement takes and returns, without running it.
import type pg from 'pg'

export interface Column {
  name: string
  typeOid: number
  /** The column of a table that it comes from. Undefined if it comes from an expression or a view. */
  source: { name: string; isNullable: boolean } | undefined
}

export interface Description {
  columns: Column[]
  parameterOids: number[]
}

interface Field {
  name: string
  dataTypeID: number
  tableID: number
  columnID: number
}

interface Result {
  fields: Field[]
  parameterOids: number[]
}

/** A query of pg's queue that parses and describes, but does not execute. */
class DescribeQuery {
  readonly #text: string
  readonly #settle: (result: Result | Error) => void
  readonly #result: Result = { fields: [], parameterOids: [] }
  readonly #onParameters = ({ dataTypeIDs }: { dataTypeIDs: number[] }) => (this.#result.parameterOids = dataTypeIDs)
  #connection: pg.Connection | undefined

  constructor(text: string, settle: (result: Result | Error) => void) {
    this.#text = text
    this.#settle = settle
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection
    connection.once('parameterDescription', this.#onParameters)
    connection.parse({ name: '', text: this.#text, types: [] }, false)
    connection.describe({ type: 'S', name: '' }, false)
    connection.sync()
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#result.fields = fields
  }

  /** After an error, pg does not report to this query that the connection is ready. */
  handleError(error: Error): void {
    this.#finish(error)
  }

  handleReadyForQuery(): void {
    this.#finish(this.#result)
  }

  #finish(result: Result | Error): void {
    this.#connection?.off('parameterDescription', this.#onParameters)
    this.#settle(result)
  }
}

/** Describes a statement, or returns PostgreSQL's error. */
export type Describe = (text: string) => Promise<Description | Error>

/** A function that describes statements on one connection. */
export async function openDescriber(client: pg.ClientBase): Promise<Describe> {
  const { rows } = await client.query<{ key: string; name: string; isNullable: boolean }>(
    `select attrelid || '.' || attnum as key, attname as name, not attnotnull as "isNullable"
     from pg_attribute join pg_class on pg_class.oid = attrelid where attnum > 0 and relkind in ('r', 'p')`,
  )
  const sources = new Map(rows.map(({ key, name, isNullable }) => [key, { name, isNullable }]))
  const describeOne = async (text: string): Promise<Description | Error> => {
    const result = await new Promise<Result | Error>((resolve) => client.query(new DescribeQuery(text, resolve)))
    if (result instanceof Error) return result
    const columns = result.fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      typeOid: dataTypeID,
      source: sources.get(`${tableID}.${columnID}`),
    }))
    return { columns, parameterOids: result.parameterOids }
  }
  return async (text) => {
    const result = await describeOne(text)
    if (!(result instanceof Error && result.message.includes('multiple commands'))) return result
    // Several commands in one text, which pg sends without preparing them, return nothing that is read.
    for (const command of text.split(';')) {
      const described = await describeOne(command)
      if (described instanceof Error) return described
    }
    return { columns: [], parameterOids: [] }
  }
}
