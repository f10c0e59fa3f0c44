import type { CaseFinding } from '#contract/reports.ts'
import { findingTitle } from './case-reasons.ts'

/** What the site found, with the lines of the code. */
export function CaseFindings({ label, text, findings }: { label: string; text: string; findings: CaseFinding[] }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-muted">{text}</p>
      <ul aria-label={label} className="flex flex-col gap-2 rounded-sm bg-surface-2 p-3">
        {findings.map((finding) => (
          <Finding key={`${finding.id} ${finding.host} ${finding.line} ${finding.detail}`} finding={finding} />
        ))}
      </ul>
    </div>
  )
}

function Finding({ finding }: { finding: CaseFinding }) {
  const { host, line, detail, excerpt } = finding
  const where = [...(host ? [host] : []), ...(line === null ? [] : [`line ${line}`])]
    .map((part) => `, ${part}`)
    .join('')
  return (
    <li className="wrap-anywhere">
      <p>
        <span className="font-medium">{findingTitle(finding)}</span>
        <span className="text-sm text-muted">
          {where}
          {detail && `: ${detail}`}
        </span>
      </p>
      {excerpt && (
        <code dir="ltr" className="mt-1 block font-mono text-sm">
          {excerpt}
        </code>
      )}
    </li>
  )
}
