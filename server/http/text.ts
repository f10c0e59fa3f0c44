import { AppError } from './errors.ts'

/** What is wrong with each field of a form, a sentence each; gathered, so that one answer names them all. */
export class Refusals {
  readonly #fields = new Map<string, string>()

  /** The first sentence on a field stands. */
  add(field: string, sentence: string): void {
    if (!this.#fields.has(field)) this.#fields.set(field, sentence)
  }

  /** Throws AppError `invalid` when anything was refused. */
  check(): void {
    const [first] = this.#fields.values()
    if (first !== undefined) throw new AppError('invalid', 400, first, { fields: Object.fromEntries(this.#fields) })
  }
}

/** Control characters other than tab and newline. */
const CONTROL = /[^\P{Cc}\t\n]/u
const VISIBLE = /[^\p{C}\p{Z}\p{DI}]/u

export const hasControl = (text: string): boolean => CONTROL.test(text)

/** Whether there is anything to see: not only spaces and characters without a shape. */
export const isVisible = (text: string): boolean => VISIBLE.test(text)

/** Whether a text has more characters, as PostgreSQL counts them, than `most`. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most * 2 || Array.from(text).length > most
}

export interface TextRule {
  field: string
  /** How the sentences name it: 'The title'. */
  name: string
  most: number
}

function check(text: string, { field, name, most }: TextRule, refusals: Refusals): string {
  if (!isVisible(text)) refusals.add(field, `${name} must not be empty.`)
  else if (isLongerThan(text, most)) refusals.add(field, `${name} can have at most ${most} characters.`)
  else if (hasControl(text)) refusals.add(field, `${name} must not contain control characters.`)
  return text
}

/** Trimmed text of several lines; every kind of line break becomes a newline. */
export function readText(given: string, rule: TextRule, refusals: Refusals): string {
  return check(given.replaceAll(/\r\n?/g, '\n').trim(), rule, refusals)
}

/** Trimmed text of one line; line breaks and tabs become spaces. */
export function readLine(given: string, rule: TextRule, refusals: Refusals): string {
  return check(given.replaceAll(/\r\n?|[\n\t]/g, ' ').trim(), rule, refusals)
}
