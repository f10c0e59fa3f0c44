// Lua patterns on strings of bytes, as in lstrlib.c of Lua 5.1, with a bound on the work.

const MAX_STEPS = 200_000
const MAX_DEPTH = 180
const PERCENT = 37

export interface Match {
  /** Positions from 0; `end` is after the last character of the match. */
  start: number
  end: number
  captures: (string | number)[]
}

interface Capture {
  start: number
  /** Position after the capture; -1 while it is open, -2 for a position capture. */
  end: number
}

/** A pattern that is malformed or takes too long. */
export class PatternError extends Error {}

/** Finds the first match of `pattern` at or after `init` (from 0). Throws PatternError. */
export function matchPattern(text: string, pattern: string, init: number): Match | undefined {
  return new Matcher(text, pattern).find(init)
}

class Matcher {
  private steps = 0
  private depth = 0
  private captures: Capture[] = []
  private readonly text: string
  private readonly pattern: string
  constructor(text: string, pattern: string) {
    this.text = text
    this.pattern = pattern
  }

  find(init: number): Match | undefined {
    const isAnchored = this.pattern.startsWith('^')
    for (let start = init; start <= this.text.length; start++) {
      this.captures = []
      const end = this.match(start, isAnchored ? 1 : 0)
      if (end >= 0) return { start, end, captures: this.values(start, end) }
      if (isAnchored) return undefined
    }
    return undefined
  }

  private values(start: number, end: number): (string | number)[] {
    if (this.captures.length === 0) return [this.text.slice(start, end)]
    return this.captures.map((capture) =>
      capture.end === -2 ? capture.start + 1 : this.text.slice(capture.start, capture.end),
    )
  }

  /** The end of a match of the pattern from `p` at `s`, or -1. */
  private match(s: number, p: number): number {
    if (++this.steps > MAX_STEPS || ++this.depth > MAX_DEPTH) throw new PatternError('The pattern takes too long.')
    try {
      return this.matchHere(s, p)
    } finally {
      this.depth--
    }
  }

  private matchHere(start: number, from: number): number {
    let s = start
    let p = from
    for (;;) {
      if (++this.steps > MAX_STEPS) throw new PatternError('The pattern takes too long.')
      if (p >= this.pattern.length) return s
      const char = this.pattern[p]
      if (char === '(') return this.open(s, p)
      if (char === ')') return this.close(s, p)
      if (char === '$' && p + 1 === this.pattern.length) return s === this.text.length ? s : -1
      const next = this.pattern[p + 1] ?? ''
      if (char === '%' && next === 'b') {
        s = this.balance(s, p + 2)
        if (s < 0) return -1
        p += 4
        continue
      }
      if (char === '%' && next === 'f') {
        p += 2
        const end = this.classEnd(p)
        const before = s === 0 ? 0 : this.text.charCodeAt(s - 1)
        const here = s < this.text.length ? this.text.charCodeAt(s) : 0
        if (this.inSet(before, p, end) || !this.inSet(here, p, end)) return -1
        p = end
        continue
      }
      if (char === '%' && next >= '0' && next <= '9') {
        const capture = this.captures[Number(next) - 1]
        if (!capture || capture.end < 0) throw new PatternError('A pattern refers to a missing capture.')
        const text = this.text.slice(capture.start, capture.end)
        if (!this.text.startsWith(text, s)) return -1
        s += text.length
        p += 2
        continue
      }
      const end = this.classEnd(p)
      const suffix = this.pattern[end]
      if (suffix === '?') {
        if (this.single(s, p, end)) {
          const result = this.match(s + 1, end + 1)
          if (result >= 0) return result
        }
        p = end + 1
      } else if (suffix === '*') return this.expandMost(s, p, end, 0)
      else if (suffix === '+') return this.expandMost(s, p, end, 1)
      else if (suffix === '-') return this.expandLeast(s, p, end)
      else {
        if (!this.single(s, p, end)) return -1
        s++
        p = end
      }
    }
  }

  private open(s: number, p: number): number {
    const isPosition = this.pattern[p + 1] === ')'
    this.captures.push({ start: s, end: isPosition ? -2 : -1 })
    const end = this.match(s, p + (isPosition ? 2 : 1))
    if (end < 0) this.captures.pop()
    return end
  }

  private close(s: number, p: number): number {
    const capture = this.captures.findLast((one) => one.end === -1)
    if (!capture) throw new PatternError('A pattern closes a capture that is not open.')
    capture.end = s
    const end = this.match(s, p + 1)
    if (end < 0) capture.end = -1
    return end
  }

  private balance(s: number, p: number): number {
    const [open, close] = [this.pattern[p], this.pattern[p + 1]]
    if (s >= this.text.length || this.text[s] !== open) return -1
    let level = 1
    for (let position = s + 1; position < this.text.length; position++) {
      const char = this.text[position]
      if (char === close) {
        if (--level === 0) return position + 1
      } else if (char === open) level++
    }
    return -1
  }

  private expandMost(s: number, p: number, end: number, minCount: number): number {
    let count = 0
    while (this.single(s + count, p, end)) count++
    for (; count >= minCount; count--) {
      const result = this.match(s + count, end + 1)
      if (result >= 0) return result
    }
    return -1
  }

  private expandLeast(start: number, p: number, end: number): number {
    for (let s = start; ; s++) {
      const result = this.match(s, end + 1)
      if (result >= 0) return result
      if (!this.single(s, p, end)) return -1
    }
  }

  private single(s: number, p: number, end: number): boolean {
    if (++this.steps > MAX_STEPS) throw new PatternError('The pattern takes too long.')
    return s < this.text.length && this.inSet(this.text.charCodeAt(s), p, end)
  }

  /** Position after the class at `p`: a character, `%x` or a set. */
  private classEnd(p: number): number {
    const char = this.pattern[p]
    if (char === '%') {
      if (p + 1 >= this.pattern.length) throw new PatternError('A pattern ends with %.')
      return p + 2
    }
    if (char !== '[') return p + 1
    let position = p + 1
    if (this.pattern[position] === '^') position++
    do {
      if (position >= this.pattern.length) throw new PatternError('A pattern has a set without end.')
      position += this.pattern[position] === '%' ? 2 : 1
    } while (this.pattern[position] !== ']')
    return position + 1
  }

  private inSet(code: number, p: number, end: number): boolean {
    const char = this.pattern[p]
    if (char === '.') return true
    if (char === '%') return isOfClass(code, this.pattern[p + 1] ?? '')
    if (char !== '[') return code === this.pattern.charCodeAt(p)
    let position = p + 1
    const isNegated = this.pattern[position] === '^'
    if (isNegated) position++
    for (; position < end - 1; position++) {
      if (this.pattern.charCodeAt(position) === PERCENT) {
        position++
        if (isOfClass(code, this.pattern[position] ?? '')) return !isNegated
      } else if (this.pattern[position + 1] === '-' && position + 2 < end - 1) {
        if (code >= this.pattern.charCodeAt(position) && code <= this.pattern.charCodeAt(position + 2))
          return !isNegated
        position += 2
      } else if (this.pattern.charCodeAt(position) === code) return !isNegated
    }
    return isNegated
  }
}

const CLASSES: Record<string, RegExp> = {
  a: /[A-Za-z]/,
  c: /\p{Cc}/u,
  d: /[0-9]/,
  g: /[!-~]/,
  l: /[a-z]/,
  p: /[!-/:-@[-`{-~]/,
  s: /[\t-\r ]/,
  u: /[A-Z]/,
  w: /[A-Za-z0-9]/,
  x: /[A-Fa-f0-9]/,
  z: /\0/,
}

function isOfClass(code: number, letter: string): boolean {
  const known = CLASSES[letter.toLowerCase()]
  if (!known) return code === letter.charCodeAt(0)
  return known.test(String.fromCharCode(code)) === (letter === letter.toLowerCase())
}
