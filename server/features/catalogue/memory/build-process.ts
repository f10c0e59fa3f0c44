// Makes the catalogue index beside the process that serves, and leaves it in a file.
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import pg from 'pg'
import { readIndex } from './read-index.ts'
import { rest } from './rest.ts'
import { writeSections } from './section-file.ts'

export interface BuildTask {
  connection: pg.ClientConfig
  /** As `readIndex` takes it. */
  query: string
  /** Where the index is to be left; there must be nothing yet. */
  file: string
}

/** What the process says last: why there is no index in the file, if there is none. */
export interface BuildOutcome {
  failure?: string
}

// Nobody waits for it any more.
process.on('disconnect', () => process.exit(1))

const [task] = (await once(process, 'message')) as [BuildTask]
process.send?.(await build(task), () => process.exit(0))

async function build({ connection, query, file }: BuildTask): Promise<BuildOutcome> {
  const client = new pg.Client(connection)
  // What breaks the connection fails the query too.
  client.on('error', () => {})
  try {
    // First: where nothing can be written, nothing has to be read.
    const handle = await open(file, 'wx', 0o600)
    await client.connect()
    const index = await readIndex(client, query, rest)
    await client.end()
    await writeSections(handle, undefined, await index.save('arrays'))
    await handle.close()
    return {}
  } catch (error) {
    return { failure: (error as Error).message }
  }
}
