import autocannon from 'autocannon'

export interface Measured {
  perSecond: number
  p99: number
  /** Of the warm-up and the measurement. */
  requests: number
}

const CONNECTIONS = 64

/** Requests as fast as they are answered, for so many seconds, after a short warm-up. Throws when one was not a 200. */
export async function load(url: string, seconds: number, headers: Record<string, string> = {}): Promise<Measured> {
  const before = await autocannon({ url, headers, connections: CONNECTIONS, duration: 2 })
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx + result.errors} failed`)
  return {
    perSecond: result.requests.average,
    p99: result.latency.p99,
    requests: before.requests.total + result.requests.total,
  }
}
