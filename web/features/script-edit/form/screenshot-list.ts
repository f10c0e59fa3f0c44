import { MAX_SCREENSHOTS } from '#contract/limits.ts'
import { imageError, type ImageMessages } from '#web/shared/image-error.ts'
import { defaultAlt } from './validation.ts'
import type { FormScreenshot } from './values.ts'

const MESSAGES: ImageMessages = {
  notAnImage: 'Choose image files only.',
  tooLarge: 'Each image must be smaller than 3 MB.',
}
export const FULL = `A script can have ${MAX_SCREENSHOTS} screenshots.`

interface ListChange {
  screenshots: FormScreenshot[]
  /** For screen readers. */
  announcement: string
}

/** Adds images as long as there is room. `rejected` says why not all files were added; without any, `change` is undefined. */
export function addScreenshots(
  screenshots: readonly FormScreenshot[],
  files: readonly File[],
  title: string,
): { change: ListChange | undefined; rejected: string | undefined } {
  const errors = files.map((file) => imageError(file, MESSAGES))
  const images = files.filter((_, index) => errors[index] === undefined)
  const added = images.slice(0, MAX_SCREENSHOTS - screenshots.length)
  const rejected = errors.find((error) => error !== undefined) ?? (added.length < images.length ? FULL : undefined)
  if (added.length === 0) return { change: undefined, rejected }
  const next = [...screenshots, ...added.map((file) => ({ image: file, alt: defaultAlt(file.name, title) }))]
  const announcement = `${added.length} added, ${next.length} of ${MAX_SCREENSHOTS}.`
  return { change: { screenshots: next, announcement }, rejected }
}

/** Undefined if nothing moves. */
export function moveScreenshot(
  screenshots: readonly FormScreenshot[],
  from: number,
  to: number,
): ListChange | undefined {
  const item = screenshots[from]
  if (!item || from === to || to < 0 || to >= screenshots.length) return undefined
  return {
    screenshots: screenshots.toSpliced(from, 1).toSpliced(to, 0, item),
    announcement: `${item.alt} is now ${to + 1} of ${screenshots.length}.`,
  }
}

export const removeScreenshot = (screenshots: readonly FormScreenshot[], index: number): ListChange => ({
  screenshots: screenshots.toSpliced(index, 1),
  announcement: `Removed. ${screenshots.length - 1} of ${MAX_SCREENSHOTS}.`,
})
