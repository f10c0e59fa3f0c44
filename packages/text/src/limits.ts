// Apart from the rules, so that a browser that needs the numbers loads only these.

/** Maximum size of code in bytes of UTF-8. */
export const MAX_CODE_BYTES = 1_048_576
/** In characters. */
export const MAX_CHANGELOG_LENGTH = 200
