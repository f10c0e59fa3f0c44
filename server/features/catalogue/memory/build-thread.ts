// Reads the catalogue index beside the thread that serves, and hands its arrays over, none of them last.
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { readIndex } from './read-index.ts'
import type { Section } from './sections.ts'

export interface BuildTask {
  connection: pg.ClientConfig
  /** As `readIndex` takes it. */
  query: string
}

/** Who takes in hundreds of megabytes at once keeps others waiting. */
const AT_ONCE = 8
const PAUSE_MS = 2

const { connection, query } = workerData as BuildTask
const client = new pg.Client(connection)
// What breaks the connection fails the query too.
client.on('error', () => {})
await client.connect()
const index = await readIndex(client, query)
await client.end()

const sections = await index.save('arrays')
for (let sent = 0; sent < sections.length; sent += AT_ONCE) {
  handOver(sections.slice(sent, sent + AT_ONCE))
  await wait(PAUSE_MS)
}
handOver([])

function handOver(some: readonly Section[]): void {
  parentPort?.postMessage(
    some,
    some.map(({ bytes }) => bytes.buffer),
  )
}
