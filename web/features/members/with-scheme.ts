const BARE = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+([:/?#].*)?$/u

/** What was typed as a web address, with https:// in front where only that is missing. */
export function withScheme(typed: string): string {
  const text = typed.trim()
  return BARE.test(text) ? `https://${text}` : text
}
