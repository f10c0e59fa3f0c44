import { useEffect, useRef, useState } from 'react'
import { useToast } from '#web/ui/toast.tsx'
import { writeClipboard } from './write-clipboard.ts'

const CONFIRMATION_MS = 2000

/** Copies what `load` brings and says so for two seconds. Resolves to whether it is in the clipboard. */
export function useCopy(load: () => Promise<string>, failure: { title: string; text: string }) {
  const toast = useToast()
  const [isCopied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const copy = async (): Promise<boolean> => {
    try {
      await writeClipboard(load())
    } catch {
      toast({ ...failure, tone: 'error' })
      return false
    }
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), CONFIRMATION_MS)
    return true
  }
  return { isCopied, copy }
}
