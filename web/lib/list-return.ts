import type { Location } from '#web/router/location.ts'

/** A list that a visitor left for a script: its URL, and the entry of the browser's history with its scroll position. */
interface LeftList {
  href: string
  scrollKey: string
}

/** Navigation state of a link from a list to a script. */
export const fromList = ({ pathname, search, key }: Location): { list: LeftList } => ({
  list: { href: pathname + search, scrollKey: key },
})

/** The list that the visitor came from; undefined if they came from elsewhere. */
export const listOf = ({ state }: Location): LeftList | undefined => (state as { list?: LeftList } | null)?.list
