// Child process: builds the catalogue index and passes it to its parent in a file.
import { open } from 'node:fs/promises'
import { writeSnapshot } from '@scriptyard/catalogue-index'
import { NamedClient, SilenceDetector, StandbyError } from '#server/platform/db/silence.ts'
import { serveTask } from '#server/platform/jobs/background-process.ts'
import { type BuildTask, readIndex } from './index-builder.ts'

const RUN_MS = 2
const YIELD_MS = 0.05
const neverNotified = new Int32Array(new SharedArrayBuffer(4))
let yieldedAt = performance.now()

/** Otherwise a server process on the same processor waits until the operating system ends this one's time slice. */
function yieldCpu(): void {
  if (performance.now() - yieldedAt < RUN_MS) return
  Atomics.wait(neverNotified, 0, 0, YIELD_MS)
  yieldedAt = performance.now()
}

await serveTask(build)

async function build({ connection, query, file }: BuildTask): Promise<object> {
  const client = new NamedClient(connection)
  const silence = new SilenceDetector({ options: () => connection })
  // A broken connection fails the query, too.
  client.on('error', () => {})
  // Opened first, so that the build fails early if the file cannot be written.
  const handle = await open(file, 'wx', 0o600)
  await client.connect()
  // What a replica has not received yet would stay missing from the index.
  if (client.isStandby) throw new StandbyError()
  silence.watch(client)
  const index = await readIndex(client, query, { onStep: yieldCpu })
  await client.end()
  await writeSnapshot(handle, await index.save('arrays'))
  await handle.close()
  return {}
}
