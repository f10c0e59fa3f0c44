import { useId, useState } from 'react'
import type { FieldAria } from '#web/ui/field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { MarkdownText } from './markdown-text.tsx'

interface Props {
  aria: FieldAria
  value: string
  maxLength?: number
  onChange: (value: string) => void
}

const tabClass =
  'min-h-11 rounded-sm px-3 text-sm text-muted hover:text-text aria-selected:bg-surface-3 aria-selected:font-medium aria-selected:text-text sm:min-h-8'

/** A text area for Markdown with a preview of the formatted text. */
export function MarkdownArea({ aria, value, maxLength, onChange }: Props) {
  const id = useId()
  const [isPreview, setPreview] = useState(false)
  const tab = (label: string, isShown: boolean, show: () => void) => (
    <button
      type="button"
      role="tab"
      id={`${id}-${label}`}
      aria-selected={isShown}
      aria-controls={`${id}-panel`}
      tabIndex={isShown ? undefined : -1}
      onClick={show}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
        setPreview(!isPreview)
        document.getElementById(`${id}-${isPreview ? 'Write' : 'Preview'}`)?.focus()
      }}
      className={tabClass}
    >
      {label}
    </button>
  )
  return (
    <div className="flex flex-col gap-1.5">
      <div role="tablist" aria-label="Formatted text" className="flex gap-1">
        {tab('Write', !isPreview, () => setPreview(false))}
        {tab('Preview', isPreview, () => setPreview(true))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${isPreview ? 'Preview' : 'Write'}`}>
        <TextArea
          {...aria}
          value={value}
          {...(maxLength === undefined ? {} : { maxLength })}
          onChange={onChange}
          className={`w-full ${isPreview ? 'hidden' : ''}`}
        />
        {isPreview && (
          <div className="min-h-28 rounded-sm border border-line bg-surface-1 px-3 py-2">
            {value.trim() ? <MarkdownText text={value} /> : <p className="text-muted">Nothing to preview yet.</p>}
          </div>
        )}
      </div>
    </div>
  )
}
