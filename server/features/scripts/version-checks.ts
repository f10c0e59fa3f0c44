import type { Transaction } from '#server/platform/db/database.ts'
import type { CodeText } from './script-input.ts'
import type { OwnScript } from './queries.ts'

/** A script before a change. */
export type FormerScript = Pick<OwnScript, 'currentVersion' | 'isVisible' | 'isUnlisted'>

/** A script before it was published. */
export const NEW_SCRIPT: FormerScript = { currentVersion: 0, isVisible: false, isUnlisted: false }

interface PrepareOptions {
  personId: number
  depth: 'read' | 'run'
  /** The script whose current code it will be compared with. */
  scriptId?: number
}

/** The way of every version to visitors. Injected, because it needs the cards of behavior, a higher layer. */
export interface VersionChecks {
  /**
   * Analyzes code that is about to be published, by `read`ing it only or by a `run` too, unless that takes longer than a person
   * waits for an answer. Call it before the transaction.
   */
  prepare(code: CodeText, options: PrepareOptions): Promise<void>
  /**
   * Decides about the version that waits, if its analysis allows that, and requests the analysis otherwise. Announces what
   * visitors get by it. Call it last in the transaction, with the script locked.
   */
  start(trx: Transaction, scriptId: number, former: FormerScript): Promise<void>
}
