export interface Dice {
  /** From 0 up to but not including 1. */
  next: () => number
  between: (min: number, max: number) => number
  whole: (min: number, max: number) => number
  pick: <T>(list: readonly [T, ...T[]]) => T
}

/** FNV-1a, 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

/** Mulberry32: the same seed gives the same numbers on every machine. */
export function createDice(seed: string): Dice {
  let state = hashText(seed)

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  const between = (min: number, max: number): number => min + next() * (max - min)
  const whole = (min: number, max: number): number => Math.floor(between(min, max + 1))

  return { next, between, whole, pick: (list) => list[whole(0, list.length - 1)] ?? list[0] }
}
