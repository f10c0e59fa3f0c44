export const EXIT = { ok: 0, failed: 1, usage: 2, denied: 3, unavailable: 4, held: 5 } as const

/** An error with a sentence that says what to do, a stable code for programs and the exit code. */
export class CliError extends Error {
  readonly code: string
  readonly exit: number
  /** The reason for each rejected field. */
  readonly fields: Readonly<Record<string, string>>

  constructor(code: string, exit: number, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message)
    this.code = code
    this.exit = exit
    this.fields = fields
  }
}

export const usageError = (message: string): CliError => new CliError('usage', EXIT.usage, message)
export const manifestError = (message: string): CliError => new CliError('manifest', EXIT.usage, message)
