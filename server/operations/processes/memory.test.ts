import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MODULE = new URL('memory.ts', import.meta.url).href

/** Heap in MB of a process that allocated 60 MB and dropped it: after that, and after some time. */
async function measureHeap(work: string): Promise<{ before: number; after: number }> {
  const code = `
    import { getHeapStatistics } from 'node:v8'
    import { releaseMemoryWhenIdle } from ${JSON.stringify(MODULE)}
    const heap = () => getHeapStatistics().total_heap_size / 1e6
    let texts = Array.from({ length: 1_000_000 }, (_, i) => [i, i + 1])
    texts = undefined
    const before = heap()
    releaseMemoryWhenIdle(300)
    ${work}
    setTimeout(() => { console.log(JSON.stringify({ before, after: heap() })); process.exit() }, 2000)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  return JSON.parse(stdout) as { before: number; after: number }
}

test('an idle process releases the memory that it does not use any more', async () => {
  const { before, after } = await measureHeap('')
  expect(before).toBeGreaterThan(60)
  expect(after).toBeLessThan(20)
})

test('a busy process is not interrupted', async () => {
  const { before, after } = await measureHeap(
    'setInterval(() => { const end = performance.now() + 20; while (performance.now() < end); }, 40)',
  )
  expect(after).toBeGreaterThan(before - 20)
})
