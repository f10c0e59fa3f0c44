/** A number is a page, 'gap' an ellipsis. */
export type PageStep = number | 'gap'

/**
 * The pages to offer: the first, the last, the current one with `reach` neighbours to each side. A gap always hides two
 * pages or more, because a lone hidden page takes no more room than the ellipsis.
 */
export function pageWindow(page: number, pages: number, reach = 1): PageStep[] {
  const current = Math.min(Math.max(page, 1), Math.max(pages, 1))
  const from = Math.max(2, Math.min(current - reach, pages - 2 * reach - 2))
  const to = Math.min(pages - 1, Math.max(current + reach, 2 * reach + 3))
  const steps: PageStep[] = [1]
  if (from === 3) steps.push(2)
  else if (from > 3) steps.push('gap')
  for (let step = from; step <= to; step++) steps.push(step)
  if (to === pages - 2) steps.push(pages - 1)
  else if (to < pages - 2) steps.push('gap')
  if (pages > 1) steps.push(pages)
  return steps
}
