/** What a word is worth in the title, tags, author and description; twice that where it stands there whole. */
export const PLACE_WEIGHTS = [8, 4, 2, 1] as const
export const WHOLE = 2
