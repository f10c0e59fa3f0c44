import type { TagCount } from '#contract/catalogue.ts'

/** What somebody may be about to type. */
export interface CompletionQuery {
  /** Folded words; each may be the beginning of one. */
  words: string[]
  /** The same text as a tag is written. */
  tag: string
}

/** The most downloaded scripts first, the commonest tags first. */
export interface Completion {
  /** Scripts with all the words in their titles. */
  titles: number[]
  /**
   * Scripts whose authors' names have all the words; several may be of one author. The index knows a word's best place
   * only, so there those are missing that have the name in the title or a tag, too.
   */
  byAuthors: number[]
  tags: TagCount[]
}

export const TITLES = 5
export const TAGS = 5
/** So many scripts are looked at for their authors. */
export const BY_AUTHORS = 40
