const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

export const MAX_DEPTH = 16
/** Keys, array entries, objects and arrays together. */
export const MAX_VALUES = 2000
/** Everything outside of text: numbers, punctuation and white space. */
export const MAX_OUTSIDE_TEXT = 65_536

/** Checks JSON while it is received: parsing deep or numerous values costs far more. Does not check the syntax. */
export class JsonBounds {
  #depth = 0
  #values = 0
  #outside = 0
  #isText = false
  #isEscaped = false

  /** Reads the next bytes. False as soon as all bytes so far exceed a bound. */
  admit(bytes: Uint8Array): boolean {
    // A plain loop: searching for quotes with `indexOf` is faster on average and far slower for text full of quotes.
    let isText = this.#isText
    let isEscaped = this.#isEscaped
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] ?? 0
      if (!isText) {
        if (byte === QUOTE) isText = true
        if (!this.#admitOutside(byte)) return false
      } else if (isEscaped) isEscaped = false
      else if (byte === QUOTE) isText = false
      else if (byte === BACKSLASH) isEscaped = true
    }
    this.#isText = isText
    this.#isEscaped = isEscaped
    return true
  }

  #admitOutside(byte: number): boolean {
    if (byte === COMMA) this.#values++
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#values++
      this.#depth++
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth--
    this.#outside++
    return this.#depth <= MAX_DEPTH && this.#values <= MAX_VALUES && this.#outside <= MAX_OUTSIDE_TEXT
  }
}
