import ImageUp from 'lucide-react/icons/image-up'
import { useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { imageError } from '#web/components/script-form/image-field.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { readDataUrl } from '#web/lib/read-data-url.ts'
import { Button } from '#web/ui/button.tsx'
import { IMAGE_TYPES } from '#web/ui/image-drop.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { OwnerProps } from './owner-bar.tsx'

export const coverTexts = {
  notAnImage: 'Please select an image file.',
  tooLarge: 'Image too large. Please use an image under ~3MB.',
}

/** Puts another picture over the script at once. */
export function CoverButton({ script }: Pick<OwnerProps, 'script'>) {
  const api = useApi()
  const toast = useToast()
  const { revalidate } = useRevalidator()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const take = async (file: File) => {
    const refusal = imageError(file, coverTexts)
    if (refusal) return toast({ title: refusal, tone: 'error' })
    setBusy(true)
    try {
      const image = await readDataUrl(file)
      await api('PUT /api/script-details', { query: { id: script.id }, body: { image } })
      toast({ title: 'Cover image updated successfully.', tone: 'success' })
      await revalidate()
    } catch (error) {
      toast({ tone: 'error', ...explain(error) })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        aria-disabled={isBusy}
        onClick={() => !isBusy && input.current?.click()}
        className="max-sm:w-11 max-sm:px-0"
      >
        <ImageUp aria-hidden className={isBusy ? 'size-4 motion-safe:animate-pulse' : 'size-4'} />
        <span className="max-sm:sr-only">{isBusy ? 'Uploading...' : 'Change cover'}</span>
      </Button>
      <input
        ref={input}
        type="file"
        accept={IMAGE_TYPES}
        aria-label="Cover image"
        tabIndex={-1}
        className="hidden"
        onChange={(event) => {
          const file = event.target.files?.item(0)
          event.target.value = ''
          if (file) void take(file)
        }}
      />
    </>
  )
}

function explain(error: unknown): { title: string; text?: string } {
  if (!(error instanceof ApiError)) return { title: 'Unexpected error.' }
  return { title: 'Failed to update cover image. Please try again.', text: error.message }
}
