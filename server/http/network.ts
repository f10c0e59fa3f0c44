import { isIPv6 } from 'node:net'

/** The part of an address that one household or server holds: an IPv6 network of 64 bits, else the whole address. */
export function networkOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped) return mapped
  const [head = '', tail = ''] = ip.split('::')
  const start = head ? head.split(':') : []
  const end = tail ? tail.split(':') : []
  const gap = ip.includes('::') ? Array.from({ length: 8 - start.length - end.length }, () => '0') : []
  return [...start, ...gap, ...end]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
