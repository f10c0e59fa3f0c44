// Reads the settings, prepares the site and serves it in one process or several until stopped.
import { readConfig } from './config.ts'
import { readEnvironment } from '#server/config/values.ts'
import { prepare } from '#server/processes/prepare.ts'
import { describeProcess, leaveRoot } from '#server/processes/root.ts'
import { runUntilStopped } from '#server/processes/run.ts'

await runUntilStopped(async (running) => {
  const { closers, stop } = running
  const env = await leaveRoot(readEnvironment(), running)
  if (!env) return
  const config = readConfig(env)
  const site = await prepare(config, closers)
  if (config.workers === 1) {
    const { serve } = await import('#server/processes/serve.ts')
    await serve(site, closers)
  } else {
    const { Workers } = await import('#server/processes/workers.ts')
    const workers = new Workers(site, { count: config.workers, giveUp: () => void stop(1) })
    closers.push(() => workers.stop())
    await workers.start()
  }
  console.log(`${config.siteName} is at ${config.publicUrl}`)
  console.log(describeProcess(config.dataDir))
})
