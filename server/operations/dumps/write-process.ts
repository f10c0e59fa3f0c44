// Child process: writes a dump. Its parent gives it a low priority, so that requests do not wait for compression.
import { once } from 'node:events'
import { type DumpTask, writeDump } from './write.ts'

export interface DumpResult {
  error?: string
}

// The parent has exited or stops.
process.on('disconnect', () => process.exit(1))

const [task] = (await once(process, 'message')) as [DumpTask]
const result = await writeDump(task).then(
  (): DumpResult => ({}),
  (error: Error): DumpResult => ({ error: error.message }),
)
process.send?.(result, () => process.exit(0))
