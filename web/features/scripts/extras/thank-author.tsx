import { ReputationSlot } from '#web/components/reputation-slot.tsx'
import type { ScriptDetails } from '#web/features/scripts/load-script.ts'

export interface ExtraProps {
  script: ScriptDetails['script']
  onReputation?: ((reputation: number) => void) | undefined
}

export function GiveReputationSlot({ script, onReputation }: ExtraProps) {
  const { author_id, author_name, author_reputation } = script
  return (
    <ReputationSlot
      memberId={author_id}
      name={author_name}
      reputation={author_reputation ?? undefined}
      onReputation={onReputation}
    />
  )
}
