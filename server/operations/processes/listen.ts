import type { Config } from '#server/platform/config.ts'
import { SettingError } from '#server/platform/config/values.ts'

/** Variable with the descriptor of a listening socket that root opened for this process. */
export const SOCKET_VARIABLE = 'SCRIPTYARD_SOCKET'

/** Listen option for the socket that root opened; empty without one. In a worker, the descriptor is the primary's. */
export function inheritedSocket(): { fd?: number } {
  const fd = process.env[SOCKET_VARIABLE]
  return fd === undefined ? {} : { fd: Number(fd) }
}

export function toListenError(
  { code }: NodeJS.ErrnoException,
  { port, host }: Pick<Config, 'port' | 'host'>,
): SettingError {
  if (code === 'EADDRINUSE')
    return new SettingError('PORT', `${port} is in use; stop the program that uses it or set another port.`)
  if (code === 'EACCES') return new SettingError('PORT', `${port} is not allowed for this user; set a port above 1023.`)
  return new SettingError('HOST', `${host} is not available (${code}); set it to an address of this machine.`)
}
