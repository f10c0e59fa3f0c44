import { ReputationPlace } from '../../../components/reputation-place.tsx'
import type { ScriptDetails } from '../load-script.ts'

export function ThankAuthor({ script: { author_id, author_name } }: { script: ScriptDetails['script'] }) {
  return <ReputationPlace memberId={author_id} name={author_name} />
}
