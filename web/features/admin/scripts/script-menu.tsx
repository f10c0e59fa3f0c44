import { Ellipsis, ExternalLink } from 'lucide-react'
import type { AdminScript } from '#contract/admin.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { MenuAction, MenuLink } from '#web/ui/menu-item.tsx'
import { DEED_ICONS, DEED_LABELS, deedsFor, type ScriptDeed } from './script-deeds.ts'

export function ScriptMenu({ script, onChoose }: { script: AdminScript; onChoose: (deed: ScriptDeed) => void }) {
  return (
    <Menu
      label={`Actions for ${script.title}`}
      button={<Ellipsis aria-hidden className="size-5" />}
      buttonClass={iconButtonClass}
    >
      <MenuLink to={`/scripts/${encodeURIComponent(script.slug)}`} icon={ExternalLink}>
        View page
      </MenuLink>
      {deedsFor(script).map((deed) => (
        <MenuAction
          key={deed}
          icon={DEED_ICONS[deed]}
          {...(deed === 'delete' ? { tone: 'danger' as const } : {})}
          onSelect={() => onChoose(deed)}
        >
          {DEED_LABELS[deed]}
        </MenuAction>
      ))}
    </Menu>
  )
}
