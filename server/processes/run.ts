import { SettingError } from '#server/config/setting-error.ts'

export type Close = () => Promise<unknown>

/** What was opened, to be closed the last first. */
export type Closers = Close[]

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.toReversed()) await close().catch((error: unknown) => console.error(error))
}

/** Its message is what whoever starts the site is to read, as it is. */
export class UserFacingError extends Error {}

/** What whoever starts the site reads: a sentence where it is theirs to mend, else everything. */
function describeError(error: unknown): string {
  if (error instanceof SettingError || error instanceof UserFacingError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

export interface Running {
  closers: Closers
  /** Closes everything and ends this process. */
  stop: (code: number) => Promise<void>
}

export interface RunOptions {
  /** Those that stop it. */
  signals?: readonly NodeJS.Signals[]
  /** Takes why it failed. */
  report?: (why: string) => Promise<void> | void
}

/** Runs until a signal comes, the parent is gone, or it fails; then closes everything. */
export async function runUntilStopped(
  serve: (running: Running) => Promise<void>,
  { signals = SIGNALS, report = console.error }: RunOptions = {},
): Promise<void> {
  const closers: Closers = []
  let isClosing = false
  const stop = async (code: number) => {
    if (isClosing) return
    isClosing = true
    await closeAll(closers)
    process.exit(code)
  }
  for (const signal of signals) process.on(signal, () => void stop(0))
  // The start script went away without being able to say so.
  if (process.channel) process.on('disconnect', () => void stop(0))
  try {
    await serve({ closers, stop })
  } catch (error) {
    // What breaks because everything is being closed is no news.
    if (!isClosing) await report(describeError(error))
    await stop(1)
  }
}
