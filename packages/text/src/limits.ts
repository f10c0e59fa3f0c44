// Apart from the rules, so that a browser that needs the numbers loads only these.

/** Maximum size of code in bytes of UTF-8. */
export const MAX_CODE_BYTES = 1_048_576
/** The notes on a version, in characters. Their first line is the subject. */
export const MAX_CHANGELOG_LENGTH = 2000
export const MAX_SUBJECT_LENGTH = 200
