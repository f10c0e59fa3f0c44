import type { LucideIcon } from 'lucide-react'
import BadgeCheck from 'lucide-react/icons/badge-check'
import Star from 'lucide-react/icons/star'
import StarOff from 'lucide-react/icons/star-off'
import Trash2 from 'lucide-react/icons/trash'
import BadgeX from 'lucide-react/icons/badge-x'
import type { AdminScript } from '#contract/admin.ts'
import type { Api } from '#web/lib/client.ts'
import { act } from '#web/features/admin/read-admin.ts'

export type ScriptAction = 'feature' | 'unfeature' | 'verify' | 'unverify' | 'delete'

export const ACTION_LABELS: Record<ScriptAction, string> = {
  feature: 'Feature',
  unfeature: 'Remove Featured',
  verify: 'Verify',
  unverify: 'Remove Verification',
  delete: 'Delete',
}
export const ACTION_ICONS: Record<ScriptAction, LucideIcon> = {
  feature: Star,
  unfeature: StarOff,
  verify: BadgeCheck,
  unverify: BadgeX,
  delete: Trash2,
}

/** What can be done about a script, in the menu's order. */
export function scriptActions(script: AdminScript): ScriptAction[] {
  return [script.is_featured ? 'unfeature' : 'feature', script.is_verified ? 'unverify' : 'verify', 'delete']
}

/** Whether the deed would change anything. */
export function isApplicable(script: AdminScript, deed: ScriptAction): boolean {
  return scriptActions(script).includes(deed)
}

/** Says what a script is to be, so that of two admins who press at once the second is told. */
export function runScriptAction(api: Api, deed: ScriptAction, script_id: number): Promise<{ message: string }> {
  if (deed === 'delete') return act(api, { action: 'script_delete', script_id })
  if (deed === 'feature' || deed === 'unfeature') {
    return act(api, { action: 'script_feature', script_id, value: deed === 'feature' })
  }
  return act(api, { action: 'script_verify', script_id, value: deed === 'verify' })
}
