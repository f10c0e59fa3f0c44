const EVERY_MS = 2
const FOR_MS = 0.05

const never = new Int32Array(new SharedArrayBuffer(4))
let rested = performance.now()

/**
 * To be called often in long work that has a process of its own: lets go of the processor for a moment, every two
 * milliseconds, so that who is to answer does not wait for the end of its time slice.
 */
export function rest(): void {
  if (performance.now() - rested < EVERY_MS) return
  Atomics.wait(never, 0, 0, FOR_MS)
  rested = performance.now()
}
