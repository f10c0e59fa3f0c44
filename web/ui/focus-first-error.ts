const CONTROLS = 'input:not([type="file"]), textarea, select, button, [contenteditable="true"]'

/** Unfolds the named fields, and focuses the first one in document order. */
export function focusFirstError(form: HTMLElement, names: readonly string[]): void {
  const fields = [...form.querySelectorAll<HTMLElement>('[data-field]')]
  const named = fields.filter((field) => names.includes(field.dataset['field'] ?? ''))
  for (const field of named) field.closest('details')?.setAttribute('open', '')
  const [first] = named
  if (!first) return
  // The code editor is in a shadow tree, because the content security policy blocks its styles elsewhere.
  const shadow = first.querySelector('[data-shadow]')?.shadowRoot
  const field = shadow ?? first
  // A field with several controls marks the invalid one.
  const control =
    field.querySelector<HTMLElement>('[aria-invalid="true"]') ??
    field.querySelector('label')?.control ??
    field.querySelector<HTMLElement>(CONTROLS)
  control?.focus()
}
