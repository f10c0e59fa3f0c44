/** Where a key leads in a menu, round and round; undefined for keys that lead nowhere. */
export function itemForKey<T>(entries: readonly T[], current: unknown, key: string): T | undefined {
  const at = entries.findIndex((entry) => entry === current)
  switch (key) {
    case 'ArrowDown':
      return entries[(at + 1) % entries.length]
    case 'ArrowUp':
      return entries.at(at > 0 ? at - 1 : -1)
    case 'Home':
      return entries[0]
    case 'End':
      return entries.at(-1)
    default:
      return undefined
  }
}
