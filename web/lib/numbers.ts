// Without Intl: creating its first formatters takes a phone 50 ms, before a page reacts to anything.
const MAGNITUDES = ['', 'K', 'M', 'B', 'T'] as const
const SIZES = ['B', 'KB', 'MB', 'GB'] as const

/** A short count: 950, 1.2K, 3.4M. */
export function compactCount(count: number): string {
  let [tenths, power] = [count * 10, 0]
  // The rounded count decides, so that none reads '1000K'.
  while (Math.round(tenths) >= 10_000 && power < MAGNITUDES.length - 1) {
    power += 1
    tenths = count / (1000 ** power / 10)
  }
  return `${Math.round(tenths) / 10}${MAGNITUDES[power]}`
}

/** A count with all digits: 1,234,567. */
export const fullCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')

/** A rating with one decimal, 0.0 without one. */
export const ratingText = (average: number): string => (average || 0).toFixed(1)

/** Bytes in the largest fitting unit (of 1024), with at most one decimal: '950 B', '1.2 MB', '3 MB'. */
export function fileSize(bytes: number): string {
  let [size, power] = [bytes, 0]
  // The rounded size decides, so that no size reads '1024 KB'.
  while (roundToTenths(size) >= 1024 && power < SIZES.length - 1) [size, power] = [size / 1024, power + 1]
  return `${roundToTenths(size)} ${SIZES[power]}`
}

const roundToTenths = (size: number): number => Math.round(size * 10) / 10
