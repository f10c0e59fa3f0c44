import { createHash } from 'node:crypto'
import { MAX_CODE_BYTES } from '#contract/limits.ts'
import type { Refusals } from '#server/http/text.ts'

/** A state of the code, with what is known of it by counting. */
export interface CodeText {
  content: string
  sha256: string
  /** Bytes of UTF-8. */
  size: number
}

/** Control characters other than tab, newline and carriage return. */
const CONTROL = /[^\P{Cc}\t\n\r]/u

/** The code as it is, byte for byte. */
export function readCode(content: string, refusals: Refusals): CodeText {
  const size = Buffer.byteLength(content)
  if (size === 0) refusals.add('script_content', 'The code must not be empty.')
  else if (size > MAX_CODE_BYTES) {
    const [most, bytes] = [MAX_CODE_BYTES, size].map((number) => number.toLocaleString('en'))
    refusals.add('script_content', `The code can have at most ${most} bytes; this has ${bytes}.`)
  } else refuseControl(content, refusals)
  return { content, size, sha256: createHash('sha256').update(content).digest('hex') }
}

function refuseControl(content: string, refusals: Refusals): void {
  const found = CONTROL.exec(content)
  if (!found) return
  const line = content.slice(0, found.index).split('\n').length
  const name = `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  refusals.add(
    'script_content',
    `The code must not contain control characters other than tabs and line breaks (${name} in line ${line}).`,
  )
}
