import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect } from 'react'

const SHOWN_MS = 5000

export interface BannerMessage {
  tone: 'success' | 'error'
  text: string
}

/** How the last refresh went, for five seconds. */
export function Banner({ message, onGone }: { message: BannerMessage | undefined; onGone: () => void }) {
  useEffect(() => {
    if (!message) return undefined
    const timer = setTimeout(onGone, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [message, onGone])
  const Icon = message?.tone === 'error' ? CircleAlert : CircleCheck
  return (
    <div role={message?.tone === 'error' ? 'alert' : 'status'} className="max-sm:order-last max-sm:w-full">
      {message && (
        <p
          className={`flex min-h-10 items-center gap-2 rounded-md border px-3 wrap-anywhere ${message.tone === 'error' ? 'border-danger text-danger' : 'border-line text-success'} bg-surface-1`}
        >
          <Icon aria-hidden className="size-4 shrink-0" />
          {message.text}
        </p>
      )}
    </div>
  )
}
