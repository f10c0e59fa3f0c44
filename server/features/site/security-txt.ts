const MONTHS_VALID = 6

/** The content of /.well-known/security.txt (RFC 9116). `contact` is a mailto:, https: or tel: URL. */
export function securityTxt(contact: string, publicUrl: string, now = new Date()): string {
  const expires = new Date(now)
  expires.setUTCMonth(expires.getUTCMonth() + MONTHS_VALID)
  return [
    `Contact: ${contact}`,
    `Expires: ${expires.toISOString().replace(/\.\d+Z$/, 'Z')}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    'Preferred-Languages: en',
    '',
  ].join('\n')
}
