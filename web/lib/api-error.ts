import type { Problem } from '#contract/operation.ts'

/** A failed API request, with the parsed body and the status of the response. Status 0: there was no response. */
export class ApiError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, message: string, body?: unknown) {
    super(message)
    this.status = status
    this.body = body
  }

  /** The API's error code, or an empty string. */
  get code(): string {
    return stringIn(this.body, 'code') ?? ''
  }

  /** What was withdrawn, if that is the reason. */
  get withdrawn(): Problem['withdrawn'] {
    return isRecord(this.body) ? (this.body as Partial<Problem>).withdrawn : undefined
  }

  get fields(): Record<string, string> {
    const fields = isRecord(this.body) ? this.body['fields'] : undefined
    return isRecord(fields) ? (fields as Record<string, string>) : {}
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

export function stringIn(value: unknown, name: string): string | undefined {
  const text = isRecord(value) ? value[name] : undefined
  return typeof text === 'string' && text !== '' ? text : undefined
}
