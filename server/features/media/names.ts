export type MediaSize = 'card' | 'full'

const NAME = /^([0-9a-f]{64})(?:-card)?\.webp$/

/** The name of an image's file in the store and in its address. */
export function mediaName(hash: string, size: MediaSize): string {
  return size === 'card' ? `${hash}-card.webp` : `${hash}.webp`
}

/** The names of all files that one image has. */
export const mediaNames = (hash: string): [full: string, card: string] => [
  mediaName(hash, 'full'),
  mediaName(hash, 'card'),
]

/** The address of an image, good for ever. */
export function mediaPath(hash: string, size: MediaSize): string {
  return `/media/${mediaName(hash, size)}`
}

/** Whose file a name is; undefined for what is none of ours. */
export const hashOfName = (name: string): string | undefined => NAME.exec(name)?.[1]

/** The hash in the address of an image. */
export function hashOfPath(address: string): string | undefined {
  return address.startsWith('/media/') ? hashOfName(address.slice('/media/'.length)) : undefined
}
