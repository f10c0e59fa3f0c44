/**
 * The characters that end a line of code in the editor: \r\n if all lines end with it, otherwise \n. A lone \r ends no line, as
 * for Luau's line numbers: the editor would write another character in its place.
 */
export function lineBreakOf(code: string): '\r\n' | '\n' {
  return code.includes('\n') && !/(?<!\r)\n|\r(?!\n)/.test(code) ? '\r\n' : '\n'
}

export const hasLoneReturn = (code: string): boolean => /\r(?!\n)/.test(code)

/** Text from a text area, whose line breaks are all \n, with the line breaks of the code that it was before. */
export const withLineBreaksOf = (code: string, text: string): string =>
  lineBreakOf(code) === '\n' ? text : text.replaceAll('\n', '\r\n')
