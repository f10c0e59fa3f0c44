import { useDeferredValue, useState } from 'react'
import { imageUrl } from '#web/components/script-form/image-field.tsx'
import type { ScriptValues } from '#web/components/script-form/values.ts'
import { ScriptCard } from '#web/components/script-card.tsx'
import { useSession } from '#web/lib/session.tsx'
import { PagePreview } from './page-preview.tsx'
import { previewCard } from './preview-card.ts'

type Shown = 'card' | 'page'
const choices: Record<Shown, string> = { card: 'Card', page: 'Page' }

/** How the script will look in lists and on its page, while it is being written. Nothing in it can be pressed. */
export function Previews({ values }: { values: ScriptValues }) {
  const shown = useDeferredValue(values)
  const image = imageUrl(shown.image)
  const session = useSession()
  const [view, setView] = useState<Shown>('card')
  if (session.status !== 'member') return null
  const card = previewCard(shown, image, session.user)
  return (
    <aside aria-labelledby="preview-heading" className="flex min-w-0 flex-col gap-3 lg:sticky lg:top-20">
      <div className="flex items-center justify-between gap-4">
        <h2 id="preview-heading" className="text-base font-semibold">
          Preview
        </h2>
        <fieldset className="flex rounded-sm border border-line bg-surface-1 p-0.5">
          <legend className="sr-only">What the preview shows</legend>
          {Object.entries(choices).map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setView(name as Shown)}
              className="min-h-11 rounded-sm px-3 text-muted hover:text-text aria-pressed:bg-surface-3 aria-pressed:font-medium aria-pressed:text-text sm:min-h-8"
            >
              {label}
            </button>
          ))}
        </fieldset>
      </div>
      <div inert className="max-w-sm lg:max-w-none">
        {view === 'card' ? <ScriptCard card={card} /> : <PagePreview card={card} description={shown.description} />}
      </div>
    </aside>
  )
}
