// The thread that analyzes scripts without running them, one after the other.
import { parentPort } from 'node:worker_threads'
import { analyze } from '../analyze.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message port has no origin
parentPort?.on('message', (code: string) => parentPort?.postMessage(analyze(code)))
