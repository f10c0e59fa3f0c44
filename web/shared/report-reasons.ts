import type { REPORT_REASONS } from '#contract/limits.ts'

export type ReportReason = (typeof REPORT_REASONS)[number]

export const REASON_LABELS: Record<ReportReason, string> = {
  spam: 'Spam or advertising',
  stolen: 'Stolen or copied',
  malicious: 'Malicious',
  illegal: 'Illegal',
  nsfw: 'Not safe for work',
  harassment: 'Harassment or hate',
  misleading: 'Misleading',
  other: 'Something else',
}
