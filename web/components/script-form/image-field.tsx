import { objectUrl } from '#web/lib/object-url.ts'
import { ImageDrop } from '#web/ui/image-drop.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { isImage, isTooLarge } from './check-image.ts'
import type { FieldErrors, ScriptValues } from './values.ts'

/** What the page says of files that it does not take. */
export interface ImageTexts {
  notAnImage: string
  tooLarge: string
}

/** Takes a file or says why not. Answers with the refusal. */
export function imageError(file: Blob, texts: ImageTexts): string | undefined {
  if (!isImage(file)) return texts.notAnImage
  return isTooLarge(file) ? texts.tooLarge : undefined
}

interface Props {
  label: string
  texts: ImageTexts
  image: ScriptValues['image']
  errors: FieldErrors
  onChange: (image: ScriptValues['image']) => void
  onRefuse: (refusal: string | undefined) => void
}

/** The picture over a script's card and page. */
export function ImageField({ label, texts, image, errors, onChange, onRefuse }: Props) {
  const toast = useToast()
  const preview = imageUrl(image)
  const take = (file: File) => {
    const refusal = imageError(file, texts)
    onRefuse(refusal)
    if (refusal) toast({ title: refusal, tone: 'error' })
    else onChange(file)
  }
  return (
    <ImageDrop
      name="image"
      label={label}
      help="PNG, JPEG, WebP, GIF or AVIF under 3 MB; wide pictures (16:9) fit best. Without one, a cover is drawn from the title."
      error={errors['image']}
      preview={preview}
      onFile={take}
      onRemove={() => {
        onRefuse(undefined)
        onChange('')
      }}
    />
  )
}

/** Where a picture can be seen that is a path or a file. */
export function imageUrl(image: ScriptValues['image']): string {
  return typeof image === 'string' ? image : objectUrl(image)
}
