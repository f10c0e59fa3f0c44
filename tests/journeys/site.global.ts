import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SETTINGS } from '#server/config.ts'

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address && typeof address === 'object') return address.port
  throw new Error('No port is free.')
}

/** The site as a newcomer starts it, with the demo catalogue, on a free port and in a folder of its own. */
export default async function startSite(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-journeys-'))
  // PostgreSQL runs as another user when root runs the tests, and has to get through.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      // Whoever runs the tests may have settings of their own, a database above all.
      ...Object.fromEntries(SETTINGS.map((name) => [name, ''])),
      NODE_ENV: 'production',
      PORT: String(port),
      PUBLIC_URL: origin,
      DATA_DIR: path.join(folder, 'data'),
      DEMO_DATA: 'on',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilReady(origin, () => child.exitCode !== null)
  } catch (error) {
    await close()
    throw error
  }
  process.env['SITE'] = origin
  return close
}

async function waitUntilReady(origin: string, hasEnded: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 900 && !hasEnded(); attempt++) {
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The site did not start.')
}
