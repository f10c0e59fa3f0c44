// Child process: writes a dump. Its parent gives it a low priority, so that requests do not wait for compression.
import { serveTask } from '#server/platform/jobs/background-process.ts'
import { type DumpTask, writeDump } from './write.ts'

await serveTask<DumpTask>(async (task) => {
  await writeDump(task)
  return {}
})
