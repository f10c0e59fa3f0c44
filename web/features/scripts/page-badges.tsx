import type { Card } from '#contract/catalogue.ts'
import { type Badge, honorsOf, propertiesOf } from '#web/components/script-badges.ts'

/** Everything a card tells by an icon, here in words. What the site says stands out from what the author says. */
export function PageBadges({ script }: { script: Card }) {
  return (
    <ul aria-label="Badges" className="flex flex-wrap gap-2">
      {honorsOf(script).map((badge) => (
        <BadgeItem key={badge.label} badge={badge} className="bg-accent-soft text-accent" />
      ))}
      {propertiesOf(script).map((badge) => (
        <BadgeItem key={badge.label} badge={badge} className="bg-surface-2 text-muted" />
      ))}
    </ul>
  )
}

function BadgeItem({ badge: { icon: Icon, label }, className }: { badge: Badge; className: string }) {
  return (
    <li className={`inline-flex min-h-6 items-center gap-1.5 rounded-sm px-2 text-xs font-medium ${className}`}>
      <Icon aria-hidden className="size-3.5" />
      {label}
    </li>
  )
}
