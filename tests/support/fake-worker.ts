// A process in the place of a worker. It serves nothing, and lives as long as the site it is given was ever started; one
// that hangs stands still once it listens.
interface Told {
  is: string
  site?: { startedAt: string }
}

process.on('message', ({ is, site }: Told) => {
  if (is === 'stop') process.exit(0)
  if (is !== 'start') return
  if (site?.startedAt === 'never') process.exit(1)
  process.send?.({ is: 'listening' }, () => {
    if (site?.startedAt === 'hangs') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
})
process.send?.({ is: 'here' })
setInterval(() => process.send?.({ is: 'alive' }), 100)
