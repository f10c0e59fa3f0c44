// Reads the settings, opens what is needed once, serves in one process or in several until told to stop.
import { readConfig } from './config.ts'
import { readEnvironment } from './config/environment.ts'
import { prepare } from './processes/prepare.ts'
import { runUntilStopped } from './processes/run.ts'
import { serve } from './processes/serve.ts'
import { Workers } from './processes/workers.ts'

await runUntilStopped(async ({ closers, stop }) => {
  const config = readConfig(readEnvironment())
  const site = await prepare(config, closers)
  // Vite's server for development is one.
  if (config.workers === 1 || process.env.NODE_ENV === 'development') await serve(site, closers)
  else {
    const workers = new Workers(site, { count: config.workers, giveUp: () => void stop(1) })
    closers.push(() => workers.stop())
    await workers.start()
  }
  console.log(`${config.siteName} is at ${config.publicUrl}`)
})
