import KeyRound from 'lucide-react/icons/key-round'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import type { Card } from '#contract/catalogue.ts'
import { propertiesOf } from '#web/components/script-badges.ts'
import { ScriptCover } from '#web/components/script-cover.tsx'
import { TagChip } from '#web/components/tag-chip.tsx'

/** The head of the script's page in small. */
export function PagePreview({ card, description }: { card: Card; description: string }) {
  return (
    <article className="flex min-w-0 flex-col gap-4 rounded-md border border-line bg-surface-1 p-4">
      <h3 dir="auto" className="text-xl leading-tight font-semibold wrap-anywhere">
        <bdi>{card.title}</bdi>
      </h3>
      <ul className="flex flex-wrap gap-1.5">
        {propertiesOf(card).map(({ label, icon: Icon }) => (
          <li
            key={label}
            className="inline-flex min-h-6 items-center gap-1.5 rounded-sm bg-surface-2 px-2 text-xs font-medium text-muted"
          >
            <Icon aria-hidden className="size-3.5" />
            {label}
          </li>
        ))}
      </ul>
      <div className="aspect-video overflow-hidden rounded-sm border border-line bg-surface-2">
        <ScriptCover title={card.title} src={card.image} width={640} height={360} isEager />
      </div>
      <p dir="auto" className="max-h-80 overflow-hidden wrap-anywhere whitespace-pre-wrap">
        {description.trim() || <span className="text-muted">Your description</span>}
      </p>
      {card.tags.length > 0 && (
        <ul className="flex flex-wrap gap-1.5 text-xs">
          {card.tags.map(({ name }) => (
            <li key={name} className="max-w-full">
              <TagChip name={name} className="min-h-6" />
            </li>
          ))}
        </ul>
      )}
      {card.has_key_system && (
        <p className="flex items-center gap-2 text-muted">
          <KeyRound aria-hidden className="size-4 text-warning" />
          This script uses a key system
        </p>
      )}
      {!card.is_working && (
        <p className="flex items-center gap-2 text-muted">
          <TriangleAlert aria-hidden className="size-4 text-warning" />
          Not working at present
        </p>
      )}
    </article>
  )
}
