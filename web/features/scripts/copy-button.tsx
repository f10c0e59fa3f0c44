import { Check, Copy } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
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
export function CopyButton({ label, load, failure, onCopied, variant, size, className = '' }: CopyButtonProps) {
  const { isCopied, copy } = useCopy(load, failure)
  const prepare = () => void load().catch(() => undefined)
  const press = async () => {
    if (await copy()) onCopied?.()
  }
  return (
    <button
      type="button"
      onPointerEnter={prepare}
      onFocus={prepare}
      onClick={() => void press()}
      className={buttonClass(variant, size, `noscript:hidden ${className}`)}
    >
      {isCopied ? <Check aria-hidden className="size-4" /> : <Copy aria-hidden className="size-4" />}
      <span aria-live="polite" className="grid justify-items-center">
        <span className={isCopied ? 'invisible col-start-1 row-start-1' : 'col-start-1 row-start-1'}>{label}</span>
        <span className={isCopied ? 'col-start-1 row-start-1' : 'invisible col-start-1 row-start-1'}>Copied!</span>
      </span>
    </button>
  )
}
