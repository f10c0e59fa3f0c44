// One of several processes that serve the site: told by the first process what to serve and when to stop.
import { type FromWorker, isMessage, type ToWorker } from './messages.ts'
import { runUntilStopped } from './run.ts'
import { serve } from './serve.ts'
import { HEARTBEAT_INTERVAL_MS } from './watchdog.ts'

function send(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })
}

type Start = Extract<ToWorker, { is: 'start' }>

const start = Promise.withResolvers<Start>()
const stopped = Promise.withResolvers<void>()
let onChanged: (scriptIds: readonly number[]) => void = () => {}

process.on('message', (given: unknown) => {
  if (!isMessage(given)) return
  const message = given as ToWorker
  if (message.is === 'start') start.resolve(message)
  if (message.is === 'changed') onChanged(message.scriptIds)
  if (message.is === 'stop') stopped.resolve()
})
// A terminal sends these to all processes at once; the first one says when to stop. Should it be gone, Node ends this one.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})

await runUntilStopped(
  async ({ closers, stop }) => {
    void stopped.promise.then(() => stop(0))
    void send({ is: 'here' })
    setInterval(() => void send({ is: 'alive' }), HEARTBEAT_INTERVAL_MS).unref()
    const { site, isFirst } = await start.promise
    const peers = {
      publishChanges: (scriptIds: readonly number[]) => void send({ is: 'changed', scriptIds }),
      onChanged: (listener: typeof onChanged) => {
        onChanged = listener
      },
    }
    await serve(site, closers, { isFirst, peers })
    void send({ is: 'listening' })
  },
  { signals: ['SIGTERM'], report: (why) => send({ is: 'failed', why }) },
)
