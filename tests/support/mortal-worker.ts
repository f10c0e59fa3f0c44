// A process in the place of a worker. It serves nothing, and lives as long as the site it is given was ever started.
interface Told {
  is: string
  site?: { startedAt: string }
}

process.on('message', ({ is, site }: Told) => {
  if (is === 'stop') process.exit(0)
  if (is !== 'start') return
  if (site?.startedAt === 'never') process.exit(1)
  process.send?.({ is: 'listening' })
})
process.send?.({ is: 'here' })
