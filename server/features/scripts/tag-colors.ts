/** Readable on dark and light alike; the site shows them as a dot beside the name. */
const PALETTE = [
  '#8b5cf6',
  '#6366f1',
  '#3b82f6',
  '#0ea5e9',
  '#06b6d4',
  '#14b8a6',
  '#10b981',
  '#22c55e',
  '#84cc16',
  '#eab308',
  '#f59e0b',
  '#f97316',
  '#ef4444',
  '#f43f5e',
  '#ec4899',
  '#d946ef',
] as const

/** A tag's colour from the fixed palette by its name: FNV-1a over its UTF-16 units. */
export function tagColor(name: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  return PALETTE[(hash >>> 0) % PALETTE.length] ?? PALETTE[0]
}
