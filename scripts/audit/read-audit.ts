interface AuditOutput {
  vulnerabilities?: Record<string, { severity: string; via: (string | { title: string; url: string })[] }>
  metadata?: { dependencies?: { prod?: number } }
}

const FAILING = new Set(['high', 'critical'])

/**
 * Reads the output of `npm audit --json`. Without a result, for example because the registry cannot be reached, nothing is
 * known and `isBad` is false.
 */
export function readAudit(output: string): { isBad: boolean; text: string } {
  const { vulnerabilities, metadata } = parse(output)
  if (!vulnerabilities) return { isBad: false, text: 'Not checked: the registry sent no advisories.' }
  const lines = Object.entries(vulnerabilities)
    .filter(([, { severity }]) => FAILING.has(severity))
    .flatMap(([name, { severity, via }]) =>
      via.flatMap((cause) => (typeof cause === 'string' ? [] : [`${name} (${severity}): ${cause.title} ${cause.url}`])),
    )
  if (lines.length > 0) return { isBad: true, text: lines.join('\n') }
  return { isBad: false, text: `No advisory of high severity for ${metadata?.dependencies?.prod ?? 'all'} packages.` }
}

function parse(output: string): AuditOutput {
  try {
    return JSON.parse(output) as AuditOutput
  } catch {
    return {}
  }
}
