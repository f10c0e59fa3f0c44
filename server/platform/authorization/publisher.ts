import type { ProvenanceKind } from '#contract/version-states.ts'
import type { Publisher } from './guards.ts'

/** Published without evidence besides the member's own. */
export const publishedBy = (by: ProvenanceKind, tokenId?: string): Publisher => ({
  provenance: { by, repository: null, commit: null, workflow: null, run_url: null, matches_commit: null },
  ...(tokenId !== undefined && { tokenId }),
})

export const publisherColumns = ({
  provenance,
  tokenId,
}: Publisher): { provenance: string; token_id: string | null } => ({
  provenance: JSON.stringify(provenance),
  token_id: tokenId ?? null,
})
