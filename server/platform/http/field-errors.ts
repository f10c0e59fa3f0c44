import { AppError } from './errors.ts'

/** A field's label for people, made from its name: 'end_date' becomes 'End date', 'user_id' 'User ID'. */
export function labelOf(field: string): string {
  const words = field.replaceAll(/[_-]/g, ' ').replaceAll(/\b(id|url)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Validation error of one field. `reason` completes a sentence that starts with the label: 'must be a number'. */
export function fieldError(field: string, reason: string, label = labelOf(field)): AppError {
  return invalidField(field, `${label} ${reason}.`)
}

export function invalidField(field: string, message: string): AppError {
  return new AppError('invalid', 400, message, { fields: { [field]: message } })
}

/** The same error, shown at a field. */
export const atField = (field: string, { code, status, message }: AppError): AppError =>
  new AppError(code, status, message, { fields: { [field]: message } })

/** Validation errors of a form, one sentence per field, so that one response names them all. */
export class FieldErrors {
  readonly #messages = new Map<string, string>()

  /** Only the first message of a field counts. */
  add(field: string, message: string): void {
    if (!this.#messages.has(field)) this.#messages.set(field, message)
  }

  addAll(others: FieldErrors): void {
    for (const [field, message] of others.#messages) this.add(field, message)
  }

  get isEmpty(): boolean {
    return this.#messages.size === 0
  }

  toRecord(): Record<string, string> {
    return Object.fromEntries(this.#messages)
  }

  /** Throws AppError `invalid` if there are any. */
  throwIfAny(): void {
    const [first] = this.#messages.values()
    if (first !== undefined) throw new AppError('invalid', 400, first, { fields: this.toRecord() })
  }
}
