import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '#web/lib/api-error.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormAlert } from '#web/ui/form-alert.tsx'

interface Props {
  title: string
  submitLabel: string
  busyLabel: string
  tone?: 'primary' | 'danger'
  size?: 'sm' | 'md'
  canSubmit?: boolean
  /** Whether the form shows an error that belongs to no field. By default the caller has to report it. */
  hasAlert?: boolean
  /** The dialog closes when this resolves and stays open when it rejects. */
  onSubmit: () => Promise<unknown>
  onClose: () => void
  /** Renders the fields. `errors` has the server's messages by field name. */
  children: (errors: Record<string, string>) => ReactNode
}

/** A form in a dialog. Focuses the first field, and after an error the first invalid one. */
export function FormDialog({
  title,
  submitLabel,
  busyLabel,
  tone = 'primary',
  size = 'sm',
  canSubmit = true,
  hasAlert = false,
  onSubmit,
  onClose,
  children,
}: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string>()
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [])
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [errors])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || !canSubmit) return
    setBusy(true)
    setErrors({})
    setFailure(undefined)
    try {
      await onSubmit()
      onClose()
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {}
      setErrors(fields)
      if (hasAlert && Object.keys(fields).length === 0) setFailure(describeActionError(error))
      setBusy(false)
    }
  }
  return (
    <Dialog size={size} title={title} isBusy={isBusy} onClose={onClose}>
      <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {children(errors)}
        {failure && <FormAlert>{failure}</FormAlert>}
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <Button disabled={isBusy} onClick={onClose} className="max-sm:flex-1">
            Cancel
          </Button>
          <Button
            type="submit"
            variant={tone}
            disabled={!canSubmit}
            aria-disabled={isBusy}
            className="min-w-32 max-sm:flex-1"
          >
            {isBusy ? busyLabel : submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
