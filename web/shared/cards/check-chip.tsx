import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { warningTitle, warningTone } from '#contract/behavior-warning.ts'
import type { Card } from '#contract/catalogue.ts'

interface Props {
  warning: NonNullable<Card['warning']>
  /** Without a frame, for a line of text. */
  isPlain?: boolean
}

/** What the code check warns of. Red if the author did not say so, amber for code that doesn't compile. */
export function CheckChip({ warning, isPlain = false }: Props) {
  const tone = warningTone(warning)
  const frame = isPlain ? '' : `rounded-sm border px-1.5 ${frames[tone]}`
  return (
    <span className={`inline-flex min-w-0 items-center gap-1 text-xs leading-5 font-medium ${frame} ${colors[tone]}`}>
      {!warning.is_declared && <TriangleAlert aria-hidden className="size-3.5 shrink-0" />}
      <span className="truncate">{warningTitle(warning.id)}</span>
    </span>
  )
}

const colors = { plain: 'text-muted', warning: 'text-warning', danger: 'text-danger' }
const frames = { plain: 'border-line', warning: 'border-warning', danger: 'border-danger bg-danger-soft' }
