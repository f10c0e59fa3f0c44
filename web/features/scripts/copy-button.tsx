import type { LucideIcon } from 'lucide-react'
import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { Button } from '#web/ui/button.tsx'
import { useCopy } from './use-copy.ts'

interface CopyButtonProps {
  label: string
  /** Brings the text. Called early, when the button is about to be used, and again at the click. */
  load: () => Promise<string>
  failure: { title: string; text: string }
  onCopied?: () => void
  variant?: 'primary' | 'secondary' | 'ghost'
  size?: 'sm' | 'md'
  className?: string
}

/** Keeps its width while it says 'Copied!'. Nothing to press without scripts, so not there then. */
export function CopyButton({
  label,
  load,
  failure,
  onCopied,
  variant = 'secondary',
  size = 'md',
  className = '',
}: CopyButtonProps) {
  const { isCopied, copy } = useCopy(load, failure)
  const prepare = () => void load().catch(() => undefined)
  const press = async () => {
    if (await copy()) onCopied?.()
  }
  return (
    <Button
      variant={variant}
      size={size}
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => void press()}
      className={`noscript:hidden ${className}`}
    >
      <span aria-live="polite" className="grid">
        <Face icon={Copy} isShown={!isCopied}>
          {label}
        </Face>
        <Face icon={Check} isShown={isCopied}>
          Copied!
        </Face>
      </span>
    </Button>
  )
}

/** Both faces lie on the same spot, so that the wider one gives the width. */
function Face({ icon: Icon, isShown, children }: { icon: LucideIcon; isShown: boolean; children: string }) {
  return (
    <span
      className={`col-start-1 row-start-1 inline-flex items-center justify-center gap-2 ${isShown ? '' : 'invisible'}`}
    >
      <Icon aria-hidden className="size-4" />
      {children}
    </span>
  )
}
