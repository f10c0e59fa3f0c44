/** Names of the behavior card. It imports no schema library: the browser downloads this file. */

import {
  CAPABILITIES,
  type CapabilityId,
  type Certainty,
  OPAQUE,
  STOPPED,
  UNREAD,
} from '@scriptyard/luau-behavior/capabilities'

export { CAPABILITIES, type CapabilityId, type Certainty }
export const CAPABILITY_IDS = Object.keys(CAPABILITIES) as CapabilityId[]

/** Titles of findings for the person who runs the script. `CAPABILITIES` has the titles for authors and staff. */
export const CAPABILITY_TITLES: Record<CapabilityId, string> = {
  ...CAPABILITIES,
  'net.exfiltration': 'Sends data about you',
  'user.clipboard': 'Changes your clipboard',
  'user.identity': 'Identifies your device or network',
  'user.input': 'Controls your keyboard or mouse',
  'user.purchase': 'Asks you to buy something',
  'game.teleport': 'Takes you to another place or server',
  'game.kick': 'Disconnects you from the game',
}

/** Reasons in `opaque` that go with findings: the finding says it too. */
export const REASONS_OF_FINDINGS: ReadonlySet<string> = new Set(Object.values(OPAQUE))
/** Reasons in `opaque` for which most of a script was not looked into. */
export const UNREAD_REASONS: ReadonlySet<string> = new Set(Object.values(UNREAD))
/** A reason in `opaque` for display. Stored cards have the analyzer's sentences. */
export const describeOpaque = (reason: string): string => OPAQUE_TEXTS[reason] ?? reason.replace(/\.$/, '')
const OPAQUE_TEXTS: Readonly<Record<string, string>> = {
  [OPAQUE.downloaded]: 'What the downloaded code does',
  [OPAQUE.dynamic]: 'What the code that it builds does',
  [UNREAD.syntax]: 'The script has a syntax error, so we only searched its text',
  [UNREAD.nesting]: 'The script is nested too deeply, so we only searched its text',
  [UNREAD.limit]: 'The script is too large to check all of it',
  [STOPPED.compile]: "Not run, because it doesn't compile",
}

/** Reasons in `opaque` for which a run did not come to its end. */
export const STOPPED_REASONS: ReadonlySet<string> = new Set(Object.values(STOPPED))

/** The capabilities that a declaration is asked about. Others are declared only if the author lists them. */
export const ASKED_CAPABILITIES = [
  'net.get',
  'net.send',
  'net.webhook',
  'net.exfiltration',
  'code.remote',
  'fs.write',
  'user.key',
  'shape.obfuscated',
] as const satisfies CapabilityId[]

export const CERTAINTIES = ['code', 'likely', 'run'] as const satisfies Certainty[]

/** `pending`: not run yet, with the findings of reading the code. `failed`: the code could be neither read nor run. */
export const BEHAVIOR_STATUSES = ['pending', 'ready', 'failed'] as const
export type BehaviorStatus = (typeof BEHAVIOR_STATUSES)[number]

/**
 * Whether a card may say what a script does not do: the code compiles and was read and run to its end, and nothing in it
 * could not be followed.
 */
export const isFullyChecked = (card: {
  status: BehaviorStatus
  compiles: boolean | null
  opaque: readonly unknown[]
}): boolean => card.status === 'ready' && card.compiles === true && card.opaque.length === 0

export const MAX_DECLARED_HOSTS = 50
export const MAX_HOST_LENGTH = 253
