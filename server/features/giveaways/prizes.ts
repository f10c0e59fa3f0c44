const KEY_TYPES = new Set(['exec_key', 'executor_key'])

export const isKeyPrize = (prizeType: string): boolean => KEY_TYPES.has(prizeType)

/** The lines of a prize, without the empty ones. */
export function prizeLines(prizeValue: string): string[] {
  return prizeValue
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
}

/** What each winner gets: a line each where there are enough, else the same text for all; nothing without a prize. */
export function sharePrizes(prizeValue: string, winners: number): string[] {
  const lines = prizeLines(prizeValue)
  if (lines.length === 0) return []
  return Array.from(
    { length: winners },
    (_, place) => (lines.length >= winners ? lines[place] : prizeValue.trim()) ?? '',
  )
}
