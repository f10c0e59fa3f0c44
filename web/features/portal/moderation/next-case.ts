import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ReportCase } from '#contract/reports.ts'

interface Decided {
  id: number
  /** Its position in the list before the decision. */
  index: number
}

/** The case after one that was decided: it may still be in the list, or the next one has its position. */
export function findNext<T extends { id: number }>(cases: readonly T[], { id, index }: Decided): T | undefined {
  const isListed = cases[index]?.id === id
  return cases[isListed ? index + 1 : index] ?? cases.findLast((other) => other.id !== id)
}

interface NextCase {
  /** For the element around the list. */
  section: RefObject<HTMLDivElement | null>
  /** The case that was opened after a decision. */
  activeId: number | undefined
  /** For screen readers. */
  announcement: string
  /** Call it once the list was loaded again after a decision. */
  openNext: (decided: Decided) => void
}

/** Opens the next case after a decision: once the dialog has closed, the next case gets the focus, or the empty list does. */
export function useNextCase(cases: readonly ReportCase[], total: number, isDialogOpen: boolean): NextCase {
  const section = useRef<HTMLDivElement>(null)
  const decided = useRef<Decided>(undefined)
  const [active, setActive] = useState<{ id: number | undefined; text: string }>({ id: undefined, text: '' })
  useEffect(() => {
    if (isDialogOpen || !decided.current) return
    const next = findNext(cases, decided.current)
    decided.current = undefined
    const element = next ? section.current?.querySelector<HTMLElement>(`[data-case="${next.id}"]`) : section.current
    element?.scrollIntoView({ block: 'start' })
    element?.focus({ preventScroll: true })
    setActive({ id: next?.id, text: next ? describeNext(next, total) : 'No more cases.' })
  }, [cases, total, isDialogOpen])
  return {
    section,
    activeId: active.id,
    announcement: active.text,
    openNext: (last) => {
      decided.current = last
    },
  }
}

const describeNext = ({ subject_title, author_name }: ReportCase, total: number) =>
  `Next case: ${subject_title} by ${author_name}. ${total === 1 ? '1 case' : `${total} cases`} in this list.`
