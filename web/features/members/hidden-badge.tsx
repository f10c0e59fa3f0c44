import EyeOff from 'lucide-react/icons/eye-off'

/** Beside what the viewer sees and others do not. */
export function HiddenBadge() {
  return (
    <span
      title="Hidden from others"
      className="inline-flex h-5 shrink-0 items-center gap-1 rounded-sm bg-surface-2 px-1.5 text-xs text-muted"
    >
      <EyeOff aria-hidden className="size-3.5" />
      <span className="sr-only">Hidden from others</span>
    </span>
  )
}
