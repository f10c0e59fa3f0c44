import type { CommitListener } from '#server/platform/db/database.ts'
import type { App } from '#server/platform/http/app.ts'
import { drain } from '#server/platform/http/server.ts'
import { runUntilStopped } from './run.ts'
import { serve } from './serve.ts'
import { HEARTBEAT_INTERVAL_MS, isMessage, type MessageFromWorker, type MessageToWorker, PROTOCOL } from './workers.ts'

function send(message: MessageFromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })
}

const start = Promise.withResolvers<Extract<MessageToWorker, { type: 'start' }>>()
const stopped = Promise.withResolvers<void>()
let onChanged: CommitListener = () => {}
let app: App | undefined

process.on('message', (value: unknown) => {
  if (!isMessage(value)) return
  const message = value as MessageToWorker
  if (message.type === 'start') start.resolve(message)
  if (message.type === 'changed') onChanged(message.scriptIds)
  if (message.type === 'drain') void (app ? drain(app) : Promise.resolve()).then(stopped.resolve)
  if (message.type === 'stop') stopped.resolve()
})
// A terminal sends these to all processes of the group, but the primary decides when to stop. If it is gone, Node ends
// its workers.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})

await runUntilStopped(
  async ({ closers, stop }) => {
    void stopped.promise.then(() => stop(0))
    void send({ type: 'ready', protocol: PROTOCOL })
    setInterval(() => void send({ type: 'heartbeat' }), HEARTBEAT_INTERVAL_MS).unref()
    const { site, isFirst, isReplacement } = await start.promise
    const peers = {
      publishChanges: (scriptIds: readonly number[]) => void send({ type: 'changed', scriptIds }),
      onChanged: (listener: CommitListener) => {
        onChanged = listener
      },
    }
    const metrics = site.config.metrics && (await import('#server/operations/metrics/shared.ts')).openSharedMetrics()
    app = await serve(site, closers, { isFirst, peers, metrics, waitsForIndex: isReplacement })
    void send({ type: 'listening' })
  },
  { signals: ['SIGTERM'], report: (reason) => send({ type: 'failed', reason }) },
)
