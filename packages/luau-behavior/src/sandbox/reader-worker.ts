// The thread that analyzes and hashes scripts without running them, one after the other.
import { parentPort } from 'node:worker_threads'
import { analyze, type Card } from '../analyze.ts'
import { hashTokens } from '../token-hash.ts'

export interface ReadJob {
  code: string
  /** Without it, the script is only hashed. */
  hasCard: boolean
}

export interface ReadResult {
  card: Card | undefined
  tokenSha256: string | null
}

parentPort?.on('message', ({ code, hasCard }: ReadJob) => {
  const result: ReadResult = { card: hasCard ? analyze(code) : undefined, tokenSha256: hashTokens(code) }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message port has no origin
  parentPort?.postMessage(result)
})
