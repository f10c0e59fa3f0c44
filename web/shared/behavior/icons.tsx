import type { LucideIcon } from 'lucide-react'
import Code from 'lucide-react/icons/code'
import Dot from 'lucide-react/icons/circle-small'
import Folder from 'lucide-react/icons/folder'
import Gamepad from 'lucide-react/icons/gamepad-2'
import Globe from 'lucide-react/icons/globe'
import Info from 'lucide-react/icons/info'
import Pen from 'lucide-react/icons/pen-line'
import Plug from 'lucide-react/icons/plug'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import User from 'lucide-react/icons/user-round'
import { type Level, LEVEL_TEXTS } from '#web/lib/behavior-text.ts'

/** By the title of the group. */
export const GROUP_ICONS: Record<string, LucideIcon> = {
  Internet: Globe,
  Code,
  Files: Folder,
  'You and your device': User,
  'In the game': Gamepad,
  Needs: Plug,
  "How it's written": Pen,
}

/** The icon of a level, with its words for screen readers unless they are shown. */
export function LevelIcon({ level, hasWords = false }: { level: Level; hasWords?: boolean }) {
  if (level === 'plain') return <Dot aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
  const Icon = level === 'warning' ? TriangleAlert : Info
  return (
    <>
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${level === 'warning' ? 'text-danger' : 'text-warning'}`} />
      {!hasWords && <span className="sr-only">{LEVEL_TEXTS[level]}: </span>}
    </>
  )
}
