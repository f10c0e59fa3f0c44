const CONTROLS = 'input:not([type="file"]), textarea, select, button, [contenteditable="true"]'

/** Focuses the first of the named fields in document order. */
export function focusFirstError(form: HTMLElement, names: readonly string[]): void {
  const fields = [...form.querySelectorAll<HTMLElement>('[data-field]')]
  const first = fields.find((field) => names.includes(field.dataset['field'] ?? ''))
  if (!first) return
  // The code editor is in a shadow tree, because the content security policy blocks its styles elsewhere.
  const shadow = first.querySelector('[data-shadow]')?.shadowRoot
  const field = shadow ?? first
  // A field with several controls marks the invalid one.
  const control =
    field.querySelector<HTMLElement>('[aria-invalid="true"]') ?? field.querySelector<HTMLElement>(CONTROLS)
  control?.focus()
}
