const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const whole = new Intl.NumberFormat('en')
const SIZES = ['B', 'KB', 'MB', 'GB'] as const

/** A short count: 950, 1.2K, 3.4M. */
export const compactCount = (count: number): string => compact.format(count)

/** A count with all digits: 1,234,567. */
export const fullCount = (count: number): string => whole.format(count)

/** A rating with one decimal, 0.0 without one. */
export const ratingText = (average: number): string => (average || 0).toFixed(1)

/** Bytes in the largest fitting unit (of 1024): '950 B', '1.2 MB'. */
export function fileSize(bytes: number): string {
  const power = Math.min(SIZES.length - 1, bytes > 0 ? Math.floor(Math.log(bytes) / Math.log(1024)) : 0)
  const size = bytes / 1024 ** power
  return `${power === 0 ? size : size.toFixed(1)} ${SIZES[power]}`
}
