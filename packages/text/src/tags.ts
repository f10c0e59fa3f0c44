/**
 * The name of a tag, which is also what tags are compared by: NFKC in lower case, single spaces, without default-ignorable
 * characters and without the # that people put in front. Folding it again changes nothing.
 */
export function foldTag(name: string): string {
  const visible = name.replaceAll(/[\p{DI}\uFFF9-\uFFFB]/gu, '')
  const folded = visible.normalize('NFKC').toLowerCase().normalize('NFKC')
  return folded
    .replaceAll(/\s+/g, ' ')
    .replace(/^[# ]+/, '')
    .trim()
}
