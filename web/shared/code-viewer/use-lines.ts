import { useRef, useState } from 'react'
import { FOCUS_CODE } from '#web/shared/behavior/show-finding.ts'
import { useLocation, useNavigate } from '#web/router/router.tsx'
import { lineHash, type LineRange, parseLines } from './line-range.ts'

interface Lines {
  range: LineRange | undefined
  /** Whether the lines come from the URL or a link, and not from a click in the viewer. */
  isFromUrl: boolean
  /** Whether the focus moves to the code with them. */
  mustFocus: boolean
  select: (line: number, isExtending: boolean) => void
  go: (range: LineRange) => void
}

/** The marked lines, in the URL's hash if they can be linked to. */
export function useLines(hasLineLinks: boolean, linkedLines: LineRange | undefined): Lines {
  const { hash, key, state } = useLocation()
  const navigate = useNavigate()
  const [own, setOwn] = useState<{ range: LineRange | undefined; hash: string }>()
  const [linked, setLinked] = useState({ hash, key, range: parseLines(hash) })
  // A link to the same lines again is another navigation.
  if (linked.hash !== hash || linked.key !== key) setLinked({ hash, key, range: parseLines(hash) })
  const [source, setSource] = useState(linkedLines)
  if (source !== linkedLines) {
    setSource(linkedLines)
    setOwn(undefined)
  }
  const isOwn = own !== undefined && (!hasLineLinks || own.hash === hash)
  const range = isOwn ? own.range : hasLineLinks ? linked.range : linkedLines
  // A second click may come before the URL has changed.
  const pending = useRef<{ range: LineRange | undefined; from: string }>(undefined)
  const mark = (next: LineRange | undefined) => {
    pending.current = { range: next, from: hash }
    const nextHash = next ? lineHash(next) : ''
    setOwn({ range: next, hash: nextHash })
    if (hasLineLinks) void navigate({ hash: nextHash }, { replace: true, preventScrollReset: true })
  }
  const select = (line: number, isExtending: boolean) => {
    const start = pending.current?.from === hash ? pending.current.range : range
    if (isExtending && start) mark({ first: Math.min(start.first, line), last: Math.max(start.first, line) })
    else if (range?.first === line && range.last === line) mark(undefined)
    else mark({ first: line, last: line })
  }
  const go = (next: LineRange) => {
    setOwn(undefined)
    setLinked({ hash: lineHash(next), key, range: next })
    void navigate({ hash: lineHash(next) }, { replace: true, preventScrollReset: true })
  }
  return { range, isFromUrl: !isOwn, mustFocus: !hasLineLinks || state === FOCUS_CODE, select, go }
}
