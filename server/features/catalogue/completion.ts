import type { TagCount } from '#contract/catalogue.ts'

/** A partial search. */
export interface CompletionQuery {
  /** Folded prefixes of words. */
  words: string[]
  /** The text as a folded prefix of a tag. */
  tag: string
}

/** Most downloaded scripts and most used tags first. */
export interface Completion {
  /** Scripts with all the words in their titles. */
  titles: number[]
  /**
   * Scripts whose author's name has all the words. The index only stores the highest-ranking field of a word, so it omits
   * scripts that have the name in the title or a tag too.
   */
  byAuthors: number[]
  tags: TagCount[]
}

export const TITLES = 5
export const TAGS = 5
/** Scripts that are read to find distinct authors. */
export const BY_AUTHORS = 40
