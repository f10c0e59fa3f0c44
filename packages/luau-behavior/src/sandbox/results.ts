import type { Finding } from '../capabilities.ts'
import type { HostOfCard } from '../findings.ts'

export interface RunResult {
  /** In the order of `CAPABILITIES`, all with the certainty `run`. */
  capabilities: Finding[]
  /** Hosts of all URLs that the script used, with the first line of each. */
  hosts: HostOfCard[]
  /** What ended the run early or could not be followed, as sentences, and how often. */
  opaque: { reason: string; count: number }[]
}

export interface CompileResult {
  /** What Luau's compiler says; null if it gave no answer, for example because the code is too large. */
  compiles: boolean | null
  /** The first error. The compiler names no column. */
  error: { line: number; column: number | null; message: string } | null
}
