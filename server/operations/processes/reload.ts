// A reload in the primary process: the next version prepares itself in a child process, then the workers are replaced.
import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { UserFacingError } from '#server/platform/config/values.ts'
import type { Reload } from './control.ts'
import type { Site } from './prepare.ts'
import type { Workers } from './workers.ts'

export type PreparedReload = { site: Site } | { error: string }

const SINGLE =
  'The site runs in one process, which cannot be replaced without a pause. Restart it, or set WORKERS=2 and restart it once.'

export const rejectReload: Reload = async () => {
  throw new UserFacingError(SINGLE)
}

export function createReload(site: Site, workers: Workers): Reload {
  let current = site
  return async ({ program, node }, report) => {
    const processes = path.join(program, 'server/operations/processes')
    const next = await prepareNext(path.join(processes, 'prepare-reload.ts'), program, node, current)
    report('The database is ready for this version.')
    const { workers: count } = current.config
    await workers.replaceAll({ site: next, program: path.join(processes, 'worker.ts'), node }, (replaced) => {
      current = next
      report(`Replaced worker ${replaced} of ${count}.`)
    })
    console.log(`Reloaded from ${program}`)
    return 'All workers run this version.'
  }
}

async function prepareNext(file: string, program: string, node: string, site: Site): Promise<Site> {
  if (!existsSync(file))
    throw new UserFacingError(`${program} has no version of Scriptyard that the user of the site can read.`)
  const child = fork(file, {
    execPath: node,
    serialization: 'advanced',
    // The settings of a checkout are in its folder.
    cwd: existsSync(path.join(program, '.env')) ? program : process.cwd(),
    env: { ...process.env, DATA_DIR: site.config.dataDir },
  })
  const received = new Promise<PreparedReload>((resolve) =>
    child.once('message', (value) => resolve(value as PreparedReload)),
  )
  const ended = new Promise<PreparedReload>((resolve) => {
    const fail = (reason: string) =>
      resolve({ error: `The new version exited while it was preparing itself (${reason}).` })
    child.once('error', ({ message }) => fail(message))
    child.once('exit', (code, signal) => fail(signal ?? `code ${code}`))
  })
  child.send(site)
  const prepared = await Promise.race([received, ended])
  if ('error' in prepared) throw new UserFacingError(prepared.error)
  return prepared.site
}
