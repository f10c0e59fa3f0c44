/** A call that failed, with the answer's status (0 when there was none) and its parsed body. */
export class ApiError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, message: string, body?: unknown) {
    super(message)
    this.status = status
    this.body = body
  }

  /** The stable name of what went wrong, empty when the server gave none. */
  get code(): string {
    return stringIn(this.body, 'code') ?? ''
  }

  /** What is wrong with each field of a rejected form. */
  get fields(): Record<string, string> {
    const fields = isRecord(this.body) ? this.body['fields'] : undefined
    return isRecord(fields) ? (fields as Record<string, string>) : {}
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

export function stringIn(value: unknown, name: string): string | undefined {
  const found = isRecord(value) ? value[name] : undefined
  return typeof found === 'string' && found !== '' ? found : undefined
}
