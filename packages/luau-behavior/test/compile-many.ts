// Compiles many texts with Luau's compiler. One machine takes them all, where the sandbox starts a machine for each.
import { Worker } from 'node:worker_threads'
import { compileModule } from '../src/sandbox/vm.ts'
import type { CompileWork } from './compile-worker.ts'

/** The compiler's first error of each text, or null for one that compiles. */
export async function compileMany(codes: string[]): Promise<(string | null)[]> {
  const module = await compileModule()
  const results: (string | null)[] = []
  // An error that the compiler throws breaks the machine: a new one continues with the next text.
  while (results.length < codes.length) {
    const work: CompileWork = { module, codes: codes.slice(results.length) }
    const worker = new Worker(new URL('compile-worker.ts', import.meta.url), { workerData: work })
    const { promise, resolve, reject } = Promise.withResolvers<(string | null)[]>()
    worker.once('message', resolve).once('error', reject)
    const done = await promise
    if (done.length === 0) throw new Error('The compiler gave no answer')
    results.push(...done)
    await worker.terminate()
  }
  return results
}
