import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

type Tone = 'success' | 'error' | 'info'

export interface ToastMessage {
  title: string
  text?: string
  tone: Tone
}

const SHOWN_MS = 6000
const MOST = 4
const icons = { success: CircleCheck, error: CircleAlert, info: Info } as const
const colours: Record<Tone, string> = { success: 'text-success', error: 'text-danger', info: 'text-accent' }

const ToastContext = createContext<(message: ToastMessage) => void>(() => {})

/** Shows a short message that goes by itself; errors are read out at once. */
export const useToast = () => useContext(ToastContext)

let nextId = 0

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<(ToastMessage & { id: number })[]>([])
  const dismiss = useCallback((id: number) => setShown((all) => all.filter((one) => one.id !== id)), [])
  const show = useCallback(
    (message: ToastMessage) => {
      const id = nextId++
      setShown((all) => [...all.slice(1 - MOST), { ...message, id }])
      setTimeout(() => dismiss(id), SHOWN_MS)
    },
    [dismiss],
  )
  return (
    <ToastContext value={show}>
      {children}
      <section
        aria-label="Messages"
        aria-live="polite"
        className="pointer-events-none fixed inset-x-4 bottom-20 z-50 flex flex-col items-end gap-2 sm:bottom-4"
      >
        {shown.map((message) => (
          <Toast key={message.id} message={message} onDismiss={() => dismiss(message.id)} />
        ))}
      </section>
    </ToastContext>
  )
}

function Toast({ message, onDismiss }: { message: ToastMessage; onDismiss: () => void }) {
  const Icon = icons[message.tone]
  return (
    <div
      role={message.tone === 'error' ? 'alert' : 'status'}
      className="pointer-events-auto flex w-full max-w-sm items-start gap-3 rounded-md border border-line bg-surface-1 p-3 shadow-raised"
    >
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${colours[message.tone]}`} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{message.title}</p>
        {message.text && <p className="text-muted">{message.text}</p>}
      </div>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={onDismiss}
        className="rounded-sm p-1 text-muted hover:text-text"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  )
}
