const CONTROLS = 'input:not([type="file"]), textarea, select, button, [contenteditable="true"]'

/** Puts the focus into the first field, in the order of sight, that is named. */
export function focusFirstError(form: HTMLElement, names: readonly string[]): void {
  const fields = [...form.querySelectorAll<HTMLElement>('[data-field]')]
  const first = fields.find((field) => names.includes(field.dataset['field'] ?? ''))
  if (!first) return
  // The editor stands in a shadow tree, so that its styles pass the page's policy.
  const shadow = first.querySelector('[data-shadow]')?.shadowRoot
  const control = (shadow ?? first).querySelector<HTMLElement>(CONTROLS)
  control?.focus()
}
