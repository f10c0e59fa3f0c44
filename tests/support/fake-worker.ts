// A worker that serves nothing. Exits if `startedAt` of the site is `never`. Blocks its event loop after listening if it
// is `hangs`.
interface Message {
  type: string
  site?: { startedAt: string }
}

process.on('message', ({ type, site }: Message) => {
  if (type === 'stop') process.exit(0)
  if (type !== 'start') return
  if (site?.startedAt === 'never') process.exit(1)
  process.send?.({ type: 'listening' }, () => {
    if (site?.startedAt === 'hangs') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
})
process.send?.({ type: 'ready' })
setInterval(() => process.send?.({ type: 'heartbeat' }), 100)
