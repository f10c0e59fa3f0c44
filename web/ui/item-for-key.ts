/** The item that a key moves to in a menu, which wraps around. Undefined for other keys. */
export function itemForKey<T>(entries: readonly T[], current: unknown, key: string): T | undefined {
  const index = entries.findIndex((entry) => entry === current)
  switch (key) {
    case 'ArrowDown':
      return entries[(index + 1) % entries.length]
    case 'ArrowUp':
      return entries.at(index > 0 ? index - 1 : -1)
    case 'Home':
      return entries[0]
    case 'End':
      return entries.at(-1)
    default:
      return undefined
  }
}
