import { isLongerThan } from '@scriptyard/text'

/**
 * A field's text after a change, within its limit: of what was typed or pasted, only the part that fits. The browser's own
 * `maxLength` counts UTF-16 units, so it would take half as many emoji as the server.
 */
export function limitLength(former: string, next: string, maxLength: number): string {
  if (!isLongerThan(next, maxLength)) return next
  const [before, after] = [Array.from(former), Array.from(next)]
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const inserted = after.slice(start, after.length - end)
  const room = Math.max(0, inserted.length - (after.length - maxLength))
  return [...after.slice(0, start), ...inserted.slice(0, room), ...after.slice(after.length - end)].join('')
}

/** The text of an element that was changed from `former`. Shortens it in place, where the cursor is. */
export function readLimited(
  element: HTMLInputElement | HTMLTextAreaElement,
  former: string,
  maxLength: number | undefined,
): string {
  const { value, selectionStart } = element
  const text = maxLength === undefined ? value : limitLength(former, value, maxLength)
  if (text === value) return value
  element.value = text
  // Null for the types of fields that have no selection, such as email.
  if (selectionStart !== null) {
    const caret = Math.max(0, selectionStart - (value.length - text.length))
    element.setSelectionRange(caret, caret)
  }
  return text
}
