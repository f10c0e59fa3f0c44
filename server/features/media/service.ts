// An image is kept once under the hash of what was sent, re-encoded in a card size and a full size, and never changes.

export type MediaSize = 'card' | 'full'

/** The address of an image, good for ever. */
export function mediaPath(hash: string, size: MediaSize): string {
  return size === 'card' ? `/media/${hash}-card.webp` : `/media/${hash}.webp`
}
