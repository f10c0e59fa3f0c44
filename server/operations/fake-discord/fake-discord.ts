// An OAuth 2 server in place of Discord for local development. The site uses it like Discord, by URL, client id and secret.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SettingError } from '#server/platform/config/values.ts'
import { ADMIN_ID } from './test-accounts.ts'
import { Protocol } from './protocol.ts'

export interface FakeDiscordOptions {
  appEnv: 'local' | 'production'
  /** The setting DISCORD_API_URL. The server listens there if it is an http URL of this machine, else on a free port. */
  apiUrl: string
  redirectUri: string
}

export interface FakeDiscord {
  /** Values for DISCORD_API_URL, DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET. */
  apiUrl: string
  clientId: string
  clientSecret: string
  adminId: string
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const BASE = '/api'

/** Starts the server on loopback. Throws SettingError in production and if the port is in use. */
export async function startFakeDiscord({ appEnv, apiUrl, redirectUri }: FakeDiscordOptions): Promise<FakeDiscord> {
  if (appEnv !== 'local') {
    throw new SettingError(
      'APP_ENV',
      `is ${appEnv}; the fake Discord lets anybody sign in and runs in local mode only.`,
    )
  }
  const localUrl = findLocalUrl(apiUrl)
  const base = localUrl ? localUrl.pathname.replace(/\/$/, '') : BASE
  const application = {
    clientId: '100000000000000001',
    clientSecret: randomBytes(24).toString('base64url'),
    redirectUri,
  }
  const protocol = new Protocol(application, base)
  const server = createServer((request, response) => {
    protocol.handle(request, response).catch(() => response.destroy())
  })
  server.listen(Number(localUrl?.port ?? 0), HOST)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new SettingError('DISCORD_API_URL', `names a port that is not available (${error.code}); set another.`)
  })
  const { port } = server.address() as AddressInfo
  return {
    apiUrl: localUrl ? apiUrl : `http://${HOST}:${port}${base}`,
    clientId: application.clientId,
    clientSecret: application.clientSecret,
    adminId: ADMIN_ID,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function findLocalUrl(apiUrl: string): URL | undefined {
  const url = new URL(apiUrl)
  const isLocal = url.protocol === 'http:' && (url.hostname === 'localhost' || url.hostname === HOST)
  return isLocal && url.port ? url : undefined
}
