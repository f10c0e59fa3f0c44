// A stand-in for Discord on this machine, for development: it speaks Discord's OAuth 2 and lets anybody be anybody. The
// site knows it as it knows Discord, by an address, an id and a secret.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SettingError } from '#server/config/setting-error.ts'
import { ADMIN_ID } from './test-accounts.ts'
import { Protocol } from './protocol.ts'

export interface FakeDiscordOptions {
  appEnv: 'local' | 'production'
  /** What DISCORD_API_URL says. An http address of this machine is where the stand-in listens; else it finds a port. */
  apiUrl: string
  redirectUri: string
}

export interface FakeDiscord {
  /** What the site takes as DISCORD_API_URL, DISCORD_CLIENT_ID and DISCORD_CLIENT_SECRET. */
  apiUrl: string
  clientId: string
  clientSecret: string
  /** The Discord id of the person whom the page calls the admin. */
  adminId: string
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const BASE = '/api'

/** Starts it, on loopback only. Throws SettingError in production and where the port is taken. */
export async function startFakeDiscord({ appEnv, apiUrl, redirectUri }: FakeDiscordOptions): Promise<FakeDiscord> {
  if (appEnv !== 'local') {
    throw new SettingError('APP_ENV', `is ${appEnv}; the stand-in for Discord lets anybody in and runs in local only.`)
  }
  const wished = findOwnAddress(apiUrl)
  const base = wished ? wished.pathname.replace(/\/$/, '') : BASE
  const application = {
    clientId: '100000000000000001',
    clientSecret: randomBytes(24).toString('base64url'),
    redirectUri,
  }
  const protocol = new Protocol(application, base)
  const server = createServer((request, response) => {
    protocol.answer(request, response).catch(() => response.destroy())
  })
  server.listen(Number(wished?.port ?? 0), HOST)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new SettingError('DISCORD_API_URL', `names a port that cannot be listened on (${error.code}); set another.`)
  })
  const { port } = server.address() as AddressInfo
  return {
    apiUrl: wished ? apiUrl : `http://${HOST}:${port}${base}`,
    clientId: application.clientId,
    clientSecret: application.clientSecret,
    adminId: ADMIN_ID,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function findOwnAddress(apiUrl: string): URL | undefined {
  const url = new URL(apiUrl)
  const isOwn = url.protocol === 'http:' && (url.hostname === 'localhost' || url.hostname === HOST)
  return isOwn && url.port ? url : undefined
}
