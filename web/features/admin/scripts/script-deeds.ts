import { BadgeCheck, type LucideIcon, Star, StarOff, Trash2, BadgeX } from 'lucide-react'
import type { AdminScript } from '#contract/admin.ts'
import type { Api } from '#web/lib/client.ts'
import { act } from '#web/features/admin/read-admin.ts'

export type ScriptDeed = 'feature' | 'unfeature' | 'verify' | 'unverify' | 'delete'

export const DEED_LABELS: Record<ScriptDeed, string> = {
  feature: 'Feature',
  unfeature: 'Remove Featured',
  verify: 'Verify',
  unverify: 'Remove Verification',
  delete: 'Delete',
}
export const DEED_ICONS: Record<ScriptDeed, LucideIcon> = {
  feature: Star,
  unfeature: StarOff,
  verify: BadgeCheck,
  unverify: BadgeX,
  delete: Trash2,
}

/** What can be done about a script, in the menu's order. */
export function deedsFor(script: AdminScript): ScriptDeed[] {
  return [script.is_featured ? 'unfeature' : 'feature', script.is_verified ? 'unverify' : 'verify', 'delete']
}

/** Whether the deed would change anything. */
export function isOpenTo(script: AdminScript, deed: ScriptDeed): boolean {
  return deedsFor(script).includes(deed)
}

/** Says what a script is to be, so that of two admins who press at once the second is told. */
export function doTo(api: Api, deed: ScriptDeed, script_id: number): Promise<{ message: string }> {
  if (deed === 'delete') return act(api, { action: 'script_delete', script_id })
  if (deed === 'feature' || deed === 'unfeature') {
    return act(api, { action: 'script_feature', script_id, value: deed === 'feature' })
  }
  return act(api, { action: 'script_verify', script_id, value: deed === 'verify' })
}
