import { useEffect, useEffectEvent } from 'react'
import { type ImageTexts, imageError } from '#web/components/script-form/image-field.tsx'
import { useToast } from '#web/ui/toast.tsx'

/** A picture that is pasted anywhere on the page becomes the thumbnail; text goes where it was meant to, also when a picture of it comes along. */
export function usePastedImage(
  onImage: (file: File) => void,
  onRefuse: (refusal: string | undefined) => void,
  texts: ImageTexts,
): void {
  const toast = useToast()
  const take = useEffectEvent((event: ClipboardEvent) => {
    const file = event.clipboardData?.files.item(0)
    if (event.defaultPrevented || !file?.type.startsWith('image/')) return
    if (event.clipboardData?.types.includes('text/plain')) return
    event.preventDefault()
    const refusal = imageError(file, texts)
    onRefuse(refusal)
    if (refusal) toast({ title: refusal, tone: 'error' })
    else onImage(file)
  })
  useEffect(() => {
    const listen = (event: ClipboardEvent) => take(event)
    document.addEventListener('paste', listen)
    return () => document.removeEventListener('paste', listen)
  }, [])
}
