import type { Card } from '#contract/catalogue.ts'
import { type Badge, honorsOf, propertiesOf } from './script-badges.ts'

/** What the site says of a script, over the beginning of its cover. */
export function Honours({ card }: { card: Card }) {
  const honours = honorsOf(card)
  if (honours.length === 0) return null
  return <Strip name="Honours" badges={honours} className="top-2 left-2 bg-accent-strong text-on-accent" />
}

/** What kind of script it is, over the end of its cover. */
export function Properties({ card }: { card: Card }) {
  return <Strip name="Properties" badges={propertiesOf(card)} className="right-2 bottom-2 bg-surface-0/85 text-text" />
}

function Strip({ name, badges, className }: { name: string; badges: readonly Badge[]; className: string }) {
  return (
    <ul aria-label={name} className={`absolute flex h-6 items-center gap-2 rounded-sm px-1.5 ${className}`}>
      {badges.map(({ label, icon: Icon }) => (
        <li key={label}>
          <Icon aria-hidden className="size-3.5" />
          <span className="sr-only">{label}</span>
        </li>
      ))}
    </ul>
  )
}
