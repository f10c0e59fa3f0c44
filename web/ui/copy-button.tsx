import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import type { LucideIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { useToast } from './toast.tsx'

const CONFIRMATION_MS = 2000

export interface LookProps {
  label?: string
  variant?: 'primary' | 'secondary' | 'ghost'
  size?: 'sm' | 'md'
  className?: string
  /** The letter that presses the button. */
  shortcut?: string
}

interface CopyButtonProps extends LookProps {
  /** Loads the text. Also called on hover and focus, to have it ready for the click. */
  load: () => Promise<string>
  failure: { title: string; text: string }
  onCopied?: () => void
  /** Called instead of copying, with a function that copies. */
  guard?: (copy: () => Promise<void>) => void
}

/** Copies a text and shows "Copied!" for two seconds. Hidden without JavaScript. */
export function CopyButton({
  label = 'Copy',
  load,
  failure,
  onCopied,
  guard,
  className = '',
  shortcut,
  ...look
}: CopyButtonProps) {
  const toast = useToast()
  const [isCopied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const preload = () => void load().catch(() => undefined)
  const copy = async () => {
    try {
      await writeClipboard(load())
    } catch {
      return toast({ ...failure, tone: 'error' })
    }
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), CONFIRMATION_MS)
    onCopied?.()
  }
  return (
    <Button
      {...look}
      aria-keyshortcuts={shortcut}
      title={shortcut && `${label} (${shortcut})`}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => (guard ? guard(copy) : void copy())}
      className={`noscript:hidden ${className}`}
    >
      <span aria-live="polite" className="grid">
        <ButtonLabel icon={Copy} isShown={!isCopied}>
          {label}
        </ButtonLabel>
        <ButtonLabel icon={Check} isShown={isCopied}>
          Copied!
        </ButtonLabel>
      </span>
    </Button>
  )
}

/** Both labels share one grid cell, so that the button keeps the width of the wider one. */
function ButtonLabel({ icon: Icon, isShown, children }: { icon: LucideIcon; isShown: boolean; children: string }) {
  return (
    <span
      className={`col-start-1 row-start-1 inline-flex items-center justify-center gap-2 ${isShown ? '' : 'invisible'}`}
    >
      <Icon aria-hidden className="size-4" />
      {children}
    </span>
  )
}

/**
 * Writes a text that may still be loading. Safari allows writing only during the click event, so the promise itself is
 * passed to the clipboard where supported. Rejects if the browser denies access or the text cannot be loaded.
 */
async function writeClipboard(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') {
    await navigator.clipboard.writeText(await text)
    return
  }
  const blob = text.then((content) => new Blob([content], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
