// Requests to addresses outside of the operator's network, with bounds on time and size.
import { Resolver } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { callbackify } from 'node:util'

const DNS_TIMEOUT_MS = 2000
const IDLE_CONNECTION_MS = 30_000

// IPv4 addresses that are not globally reachable, from IANA's IPv4 Special-Purpose Address Registry, and multicast.
const PRIVATE_IPV4 = new net.BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]) {
  const [address = '', bits] = network.split('/')
  PRIVATE_IPV4.addSubnet(address, Number(bits), 'ipv4')
}

// Of IPv6 only global unicast is allowed, without its special-purpose blocks: this excludes loopback, link-local, unique
// local, multicast, IPv4-mapped and NAT64 addresses.
const GLOBAL_IPV6 = new net.BlockList()
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6')
const SPECIAL_IPV6 = new net.BlockList()
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  SPECIAL_IPV6.addSubnet(address, bits, 'ipv6')
}

export function isPublicAddress(address: string): boolean {
  if (net.isIPv4(address)) return !PRIVATE_IPV4.check(address, 'ipv4')
  if (!net.isIPv6(address) || address.includes('%')) return false
  return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6')
}

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')

/** A request without a complete response. The message is a sentence for the person who chose the URL. */
export class RequestError extends Error {
  override name = 'RequestError'
}

export const isTooLong = (error: unknown): boolean => error instanceof ResponseTooLongError

class ResponseTooLongError extends RequestError {}

export interface PublicClientOptions {
  userAgent: string
  /** In development, to reach servers on the same machine. */
  allowsLoopback: boolean
  /** For everything from the lookup to the end of the response. */
  timeoutMs: number
  /** By default those of the system. */
  dnsServers?: readonly string[]
}

export interface PublicRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** The connection of a longer response is closed. */
  maxResponseBytes: number
  /** Whether the bytes of a longer response so far are returned; by default it is an error. */
  truncates?: boolean
}

export interface PublicResponse {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/** The lookup that a connection uses does the check, so there is no second lookup with another answer. */
export class PublicClient {
  readonly #options: PublicClientOptions
  // Not `dns.lookup`: it occupies a thread of the pool that files and images need.
  readonly #resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 })
  readonly #agents: Record<string, http.Agent>

  constructor(options: PublicClientOptions) {
    this.#options = options
    if (options.dnsServers) this.#resolver.setServers(options.dnsServers)
    const pooling = { keepAlive: true, maxFreeSockets: 128, timeout: IDLE_CONNECTION_MS, lookup: this.#lookup }
    this.#agents = { 'http:': new http.Agent(pooling), 'https:': new https.Agent(pooling) }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  /** Sends a request. Follows no redirects and uses no proxy. Throws RequestError. */
  async send(url: URL, request: PublicRequest): Promise<PublicResponse> {
    try {
      return await this.#send(url, request)
    } catch (error) {
      throw error instanceof RequestError ? error : new RequestError(describe(error as Error), { cause: error })
    }
  }

  #send(url: URL, { method = 'GET', headers, body, maxResponseBytes, truncates = false }: PublicRequest) {
    const { userAgent, allowsLoopback, timeoutMs } = this.#options
    const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && allowsLoopback)
    if (!isAllowed) throw new RequestError('The URL must start with https://.')
    // Addresses in the URL are connected to without a lookup.
    const literal = url.hostname.replaceAll(/^\[|\]$/g, '')
    if (net.isIP(literal) && !this.#isAllowed(literal)) throw blocked()
    const { promise, resolve, reject } = Promise.withResolvers<PublicResponse>()
    const { request } = url.protocol === 'https:' ? https : http
    const agent = this.#agents[url.protocol]
    const sent = request(url, {
      method,
      ...(agent && { agent }),
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
        'user-agent': userAgent,
      },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      const finish = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size <= maxResponseBytes) return
        if (truncates) finish()
        else reject(new ResponseTooLongError('The response is too large.'))
        response.destroy()
      })
      response.on('end', finish)
      response.on('error', reject)
    })
    sent.end(body)
    return promise
  }

  #isAllowed(address: string): boolean {
    return isPublicAddress(address) || (this.#options.allowsLoopback && isLoopback(address))
  }

  /** The lookup of every connection. Rejects a name if one of its addresses is private. */
  readonly #lookup: net.LookupFunction = (host, options, callback) => {
    callbackify((name: string) => this.#resolve(name))(host, (error, addresses) => {
      const [first] = addresses ?? []
      if (error) callback(error, '', 0)
      else if (options.all) callback(null, addresses)
      else callback(null, first?.address ?? '', first?.family)
    })
  }

  async #resolve(host: string): Promise<{ address: string; family: number }[]> {
    if (host === 'localhost' && this.#options.allowsLoopback) return [{ address: '127.0.0.1', family: 4 }]
    const [ipv4, ipv6] = await Promise.allSettled([this.#resolver.resolve4(host), this.#resolver.resolve6(host)])
    const addresses = [
      ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
      ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (addresses.length === 0) throw new RequestError('The host of the URL was not found.')
    if (!addresses.every(({ address }) => this.#isAllowed(address))) throw blocked()
    return addresses
  }
}

const blocked = () => new RequestError('The URL leads to a private network, which this site does not reach.')

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/

function describe(error: Error & { code?: string }): string {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'There was no complete response in time.'
  const { code = '' } = error
  if (code === 'ECONNREFUSED') return 'The server refused the connection.'
  if (CERTIFICATE.test(code)) return 'The certificate of the server is not valid.'
  if (code.startsWith('HPE_')) return 'The response was not valid HTTP.'
  return 'The connection failed.'
}
