import { findMisspelledSettings, readConfig } from '#server/platform/config.ts'
import { readEnvironment } from '#server/platform/config/values.ts'
import { openControl } from '#server/operations/processes/control.ts'
import { createReload, rejectReload } from '#server/operations/processes/reload.ts'
import { describeProcess, leaveRoot } from '#server/operations/processes/root.ts'
import { runUntilStopped } from '#server/operations/processes/run.ts'

await runUntilStopped(async (running) => {
  const { closers, stop } = running
  const env = await leaveRoot(readEnvironment(), running)
  if (!env) return
  const config = readConfig(env)
  for (const sentence of findMisspelledSettings(env)) console.warn(sentence)
  // Imports most modules of the server, which a start with invalid settings does not need.
  const { openSetupLink, prepare } = await import('#server/operations/processes/prepare.ts')
  const site = await prepare(config, closers)
  const setupLink = await openSetupLink(site)
  const publishMetrics = async (read: () => Promise<string>) => {
    const { serveMetrics } = await import('#server/operations/metrics/server.ts')
    if (config.metrics) closers.push(await serveMetrics(config.metrics, read))
  }
  if (config.workers === 1) {
    const { serve } = await import('#server/operations/processes/serve.ts')
    const metrics = config.metrics && new (await import('#server/operations/metrics/metrics.ts')).Metrics()
    await serve(site, closers, { metrics })
    if (metrics) await publishMetrics(() => metrics.registry.metrics())
    closers.push(await openControl(config.dataDir, rejectReload))
  } else {
    const { Workers } = await import('#server/operations/processes/workers.ts')
    const workers = new Workers(site, { count: config.workers, giveUp: () => void stop(1) })
    closers.push(() => workers.stop())
    await workers.start()
    closers.push(await openControl(config.dataDir, createReload(site, workers)))
    if (config.metrics)
      await publishMetrics((await import('#server/operations/metrics/shared.ts')).collectFromWorkers())
  }
  console.log(`${config.siteName} is at ${config.publicUrl}`)
  console.log(describeProcess(config.dataDir))
  if (setupLink) console.log(`It has no admin yet. Set it up in your browser: ${setupLink}`)
})
