/** Says in the form of a short text what `parseShortText` formats. */
export const CODE_HINT = 'Put code in `backticks` or between lines of ```.'
