import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import X from 'lucide-react/icons/x'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from './icon-button.tsx'
import { onTopmostChange, topmostContainer } from './modal-stack.ts'
import { placeMessages } from './toast-corner.ts'

type Tone = 'success' | 'error' | 'info'

export interface ToastMessage {
  title: string
  /** May contain a button, for example to undo. */
  text?: ReactNode
  tone: Tone
}

type Shown = ToastMessage & { id: number }

const SHOWN_MS = 6000
const MAX_TOASTS = 3
const icons = { success: CircleCheck, error: CircleAlert, info: Info } as const
const colors: Record<Tone, string> = { success: 'text-success', error: 'text-danger', info: 'text-accent' }

const ToastContext = createContext<(message: ToastMessage) => void>(() => {})

/** Returns a function that shows a message for a few seconds. Screen readers announce errors immediately. */
export const useToast = () => useContext(ToastContext)

let nextId = 0

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([])
  const host = useHost()
  const dismiss = useCallback((id: number) => setShown((all) => all.filter((message) => message.id !== id)), [])
  const show = useCallback((message: ToastMessage) => {
    const id = nextId++
    // After a success, the errors of earlier attempts are outdated.
    const isCurrent = (old: Shown) => message.tone !== 'success' || old.tone !== 'error'
    setShown((all) => [...all.filter(isCurrent).slice(1 - MAX_TOASTS), { ...message, id }])
  }, [])
  usePlacement(host, shown)
  return (
    <ToastContext value={show}>
      {children}
      {host &&
        createPortal(
          shown.map((message) => <Toast key={message.id} message={message} onDismiss={dismiss} />),
          host,
        )}
    </ToastContext>
  )
}

/** Moves the messages away from what has the focus, while there are any. */
function usePlacement(host: HTMLElement | undefined, shown: readonly Shown[]): void {
  useLayoutEffect(() => {
    if (!host || shown.length === 0) return undefined
    const move = () => placeMessages(host, topmostContainer())
    move()
    const stop = new AbortController()
    const { signal } = stop
    document.addEventListener('focusin', move, { signal })
    document.addEventListener('scrollend', move, { signal })
    window.addEventListener('resize', move, { signal })
    // What the message is about may change the page a moment later.
    const content = new ResizeObserver(move)
    content.observe(document.body)
    return () => {
      stop.abort()
      content.disconnect()
      delete host.dataset['corner']
    }
  }, [host, shown])
}

/** The container of the messages. Moves into the topmost dialog, because everything outside of it is inert. */
function useHost(): HTMLElement | undefined {
  const [host] = useState(() => (typeof document === 'undefined' ? undefined : createHost()))
  useEffect(() => {
    if (!host) return undefined
    const attach = () => topmostContainer().append(host)
    attach()
    const stop = onTopmostChange(attach)
    return () => {
      stop()
      host.remove()
    }
  }, [host])
  return host
}

/**
 * At the bottom, above the bars of pages and lists, unless `data-corner` names another corner. On phones it moves to the top
 * while the bar of a form, which can be tall, or the keyboard covers the bottom.
 */
function createHost(): HTMLElement {
  const host = document.createElement('section')
  host.ariaLabel = 'Messages'
  host.ariaLive = 'polite'
  host.className =
    'pointer-events-none fixed inset-x-4 bottom-[calc(6rem+env(safe-area-inset-bottom))] z-50 flex flex-col items-center gap-2 max-sm:bottom-covered:top-16 max-sm:bottom-covered:bottom-auto sm:right-auto sm:bottom-20 sm:w-96 data-[corner^=top]:top-16 data-[corner^=top]:bottom-auto sm:data-[corner^=top]:bottom-auto sm:data-[corner$=right]:right-4 sm:data-[corner$=right]:left-auto'
  return host
}

/** Its timer pauses while the pointer or the focus is on it. */
function Toast({ message, onDismiss }: { message: Shown; onDismiss: (id: number) => void }) {
  const Icon = icons[message.tone]
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    if (isPaused) return undefined
    const timer = setTimeout(() => onDismiss(message.id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isPaused, message.id, onDismiss])
  return (
    <div
      role={message.tone === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="pointer-events-auto flex w-full max-w-sm items-start gap-3 rounded-md border border-line bg-surface-1 p-1 pl-3 shadow-raised"
    >
      <Icon aria-hidden className={`mt-2.5 size-5 shrink-0 ${colors[message.tone]}`} />
      <div className="min-w-0 flex-1 py-2.5 wrap-anywhere">
        <p className="font-medium">{message.title}</p>
        {message.text && <p className="text-muted">{message.text}</p>}
      </div>
      <IconButton icon={X} label="Dismiss" onClick={() => onDismiss(message.id)} />
    </div>
  )
}
