import { once } from 'node:events'
import { createServer } from 'node:http'
import { Registry } from 'prom-client'
import { SettingError } from '#server/platform/config/values.ts'

export interface MetricsAddress {
  host: string
  port: number
}

/** On a port of its own, not reachable through the site's. Returns a function that stops it. Throws SettingError. */
export async function serveMetrics(
  { host, port }: MetricsAddress,
  read: () => Promise<string>,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const isMetrics = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics'
    if (!isMetrics) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Metrics are at /metrics.\n')
      return
    }
    read().then(
      (text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      // A worker that is just starting does not answer the primary.
      () => response.writeHead(503).end(),
    )
  })
  try {
    server.listen({ host, port })
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SettingError('METRICS_PORT', `${port} on ${host} is not available (${code}); set another one.`)
  }
  return () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections())
}
