import { UserFacingError } from '#server/platform/config/values.ts'

/** In the order of opening; called in reverse order. */
export type Closers = (() => Promise<unknown>)[]

export interface Running {
  closers: Closers
  stop: (code: number) => Promise<void>
}

export interface RunOptions {
  signals?: readonly NodeJS.Signals[]
  report?: (reason: string) => Promise<void> | void
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Runs until a signal arrives, the parent process disappears or `serve` fails; then closes everything and exits. */
export async function runUntilStopped(
  serve: (running: Running) => Promise<void>,
  { signals = SIGNALS, report = console.error }: RunOptions = {},
): Promise<void> {
  const closers: Closers = []
  let isClosing = false
  const stop = async (code: number) => {
    if (isClosing) return
    isClosing = true
    for (const close of closers.toReversed()) await close().catch((error: unknown) => console.error(error))
    process.exit(code)
  }
  for (const signal of signals) process.on(signal, () => void stop(0))
  // The start script was killed and could not pass on a signal.
  if (process.channel) process.on('disconnect', () => void stop(0))
  try {
    await serve({ closers, stop })
  } catch (error) {
    // Closing makes an unfinished start fail, which needs no report.
    if (!isClosing) await report(describeError(error))
    await stop(1)
  }
}

function describeError(error: unknown): string {
  if (error instanceof UserFacingError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
