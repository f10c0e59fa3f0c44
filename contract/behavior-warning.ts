// What a list says about the code of a script before anybody opens it. It imports no schema library: the browser downloads this file.
import { CAPABILITY_TITLES, type CapabilityId } from './behavior-names.ts'

/** The findings that a list warns of, most important first. A declaration asks about all of them. */
const WARNED_CAPABILITIES = [
  'net.exfiltration',
  'code.remote',
  'net.webhook',
  'shape.obfuscated',
] as const satisfies CapabilityId[]
type WarnedId = (typeof WARNED_CAPABILITIES)[number]

export const WARNING_IDS = [...WARNED_CAPABILITIES, 'compile_error'] as const
export type WarningId = (typeof WARNING_IDS)[number]

export interface Warning {
  id: WarningId
  /** Whether the author says so. Never for code that doesn't compile. */
  is_declared: boolean
}

interface CheckedCode {
  capabilities: readonly CapabilityId[]
  compiles: boolean | null
  /** What the author declares; null without a declaration, which declares nothing. */
  declared: readonly CapabilityId[] | null
}

/** The one warning about a script: what the author did not declare, then code that doesn't compile, then what was declared. */
export function warningOf({ capabilities, compiles, declared }: CheckedCode): Warning | null {
  const found = WARNED_CAPABILITIES.filter((id) => capabilities.includes(id))
  const undeclared = found.find((id) => !declared?.includes(id))
  if (undeclared) return { id: undeclared, is_declared: false }
  if (compiles === false) return { id: 'compile_error', is_declared: false }
  const [first] = found
  return first ? { id: first, is_declared: true } : null
}

/** The color of a warning. */
export function warningTone({ id, is_declared }: Warning): 'danger' | 'warning' | 'plain' {
  if (is_declared) return 'plain'
  return id === 'compile_error' ? 'warning' : 'danger'
}

export const COMPILE_ERROR_TITLE = "Doesn't compile"

export const warningTitle = (id: WarningId): string =>
  id === 'compile_error' ? COMPILE_ERROR_TITLE : CAPABILITY_TITLES[id satisfies WarnedId]
