// Takes the place of a worker without serving anything. It exits if the site it receives was `never` started, and blocks
// its event loop once it listens if the site `hangs`.
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
