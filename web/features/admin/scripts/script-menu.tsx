import Ellipsis from 'lucide-react/icons/ellipsis'
import ExternalLink from 'lucide-react/icons/external-link'
import type { AdminScript } from '#contract/admin.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { MenuAction, MenuLink } from '#web/ui/menu-item.tsx'
import { ACTION_ICONS, ACTION_LABELS, scriptActions, type ScriptAction } from './script-actions.ts'

export function ScriptMenu({ script, onChoose }: { script: AdminScript; onChoose: (deed: ScriptAction) => void }) {
  return (
    <Menu
      label={`Actions for ${script.title}`}
      button={<Ellipsis aria-hidden className="size-5" />}
      buttonClass={iconButtonClass}
    >
      <MenuLink to={`/scripts/${encodeURIComponent(script.slug)}`} icon={ExternalLink}>
        View page
      </MenuLink>
      {scriptActions(script).map((deed) => (
        <MenuAction
          key={deed}
          icon={ACTION_ICONS[deed]}
          {...(deed === 'delete' ? { tone: 'danger' as const } : {})}
          onSelect={() => onChoose(deed)}
        >
          {ACTION_LABELS[deed]}
        </MenuAction>
      ))}
    </Menu>
  )
}
