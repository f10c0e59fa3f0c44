import { AppError } from './errors.ts'

/** Validation error of one field. `reason` completes a sentence that starts with the field: 'must be a number'. */
export function fieldError(field: string, reason: string): AppError {
  return new AppError('invalid', 400, `'${field}' ${reason}.`, { fields: { [field]: reason } })
}

/** Validation error of one field. `message` is a complete sentence. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('invalid', 400, message, { fields: { [field]: message } })
}

/** Validation errors of a form, one sentence per field, so that one response names them all. */
export class FieldErrors {
  readonly #messages = new Map<string, string>()

  /** Only the first message of a field counts. */
  add(field: string, message: string): void {
    if (!this.#messages.has(field)) this.#messages.set(field, message)
  }

  /** Throws AppError `invalid` if there are any. */
  throwIfAny(): void {
    const [first] = this.#messages.values()
    if (first !== undefined) throw new AppError('invalid', 400, first, { fields: Object.fromEntries(this.#messages) })
  }
}
