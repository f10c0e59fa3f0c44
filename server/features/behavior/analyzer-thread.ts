// Analyzes the code that the thread was started with.
import { parentPort, workerData } from 'node:worker_threads'
import { analyze } from '@scriptyard/luau-behavior'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message port has no origin
parentPort?.postMessage(analyze(workerData as string))
