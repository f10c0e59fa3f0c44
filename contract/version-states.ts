// Names of the states of a version. It imports no schema library: the browser downloads this file.
import type { CapabilityId } from './behavior-names.ts'

/** checking → current → former; checking → held → current or discarded; current or former → withdrawn. */
export const VERSION_STATES = ['checking', 'held', 'current', 'former', 'discarded', 'withdrawn'] as const
export type VersionState = (typeof VERSION_STATES)[number]

/** Findings that no update starts without a person. */
export const SERIOUS_CAPABILITIES = [
  'net.webhook',
  'net.exfiltration',
  'code.remote',
  'code.persist',
  'fs.delete',
  'user.purchase',
  'shape.obfuscated',
  'shape.secret',
] as const satisfies CapabilityId[]

/** Serious findings of which each host counts by itself. */
export const SERIOUS_BY_HOST = ['net.webhook', 'net.exfiltration', 'code.remote'] as const satisfies CapabilityId[]

/**
 * Reasons of holds besides serious findings. `opaque`: more could not be followed than before. `check_failed`: the code could
 * not be checked. `less_evidence`: there is less evidence of who published it than before.
 */
export const HOLD_REASON_IDS = ['opaque', 'check_failed', 'less_evidence'] as const

/** How versions are published. Evidence, most first: build, repository; web, token and import; unknown. */
export const PROVENANCES = ['web', 'token', 'build', 'repository', 'import', 'unknown'] as const
export type ProvenanceKind = (typeof PROVENANCES)[number]

/** Who withdrew a version. */
export const WITHDRAWERS = ['author', 'moderators'] as const

export const DEFAULT_HOLD_HOURS = 24
export const MAX_HOLD_HOURS = 168
