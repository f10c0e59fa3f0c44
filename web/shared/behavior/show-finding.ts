import type { CapabilityId } from '#contract/behavior-names.ts'

/** The state of a navigation to a line of the code that also moves the focus there. */
export const FOCUS_CODE = 'focus-code'

/** The id of a finding's element. The scope distinguishes several cards on a page. */
export const findingId = (id: CapabilityId, scope = ''): string => `${scope}finding-${id}`

/** Opens the evidence of a finding, and moves the focus and the page to it. */
export function showFinding(elementId: string): void {
  const element = document.getElementById(elementId)
  const details = element?.querySelector('details')
  if (!element || !details) return
  details.open = true
  details.querySelector('summary')?.focus({ preventScroll: true })
  element.scrollIntoView()
}
