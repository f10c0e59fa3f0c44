import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { type ReactNode, useId } from 'react'

/** Attributes that associate a control with its label, help text and error. */
export interface FieldAria {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

interface Props {
  /** The field's name in the API, by which the first invalid field is found. */
  name: string
  label: string
  help?: ReactNode
  error?: string | undefined
  isRequired?: boolean
  /** A word about the value beside the label, such as "Proposed". */
  mark?: string | undefined
  /** Shown opposite the label, for example a character count. */
  aside?: ReactNode
  children: (aria: FieldAria) => ReactNode
}

/** A control with a label above, and an error and help text below. */
export function Field({ name, label, help, error, isRequired = false, mark, aside, children }: Props) {
  const id = useId()
  const helpId = `${id}-help`
  const errorId = `${id}-error`
  const markId = `${id}-mark`
  const describedBy = [mark ? markId : '', error ? errorId : '', help ? helpId : ''].filter(Boolean).join(' ')
  return (
    <div data-field={name} className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <label htmlFor={id} className="font-medium">
            {label}
            {isRequired && <RequiredMark />}
          </label>
          {mark && (
            <span id={markId} className="rounded-sm bg-accent-soft px-1.5 text-xs/5 font-medium text-accent">
              {mark}
            </span>
          )}
        </span>
        {aside && <span className="text-xs text-muted tabular-nums">{aside}</span>}
      </div>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
        'aria-required': isRequired ? true : undefined,
      })}
      <FieldNotes errorId={errorId} error={error} helpId={helpId} help={help} />
    </div>
  )
}

/** Hidden from screen readers: the control has `aria-required`. */
export function RequiredMark() {
  return (
    <span aria-hidden className="text-danger">
      {' '}
      *
    </span>
  )
}

export function FieldNotes({
  errorId,
  error,
  helpId,
  help,
}: {
  errorId: string
  error: string | undefined
  helpId: string
  help: ReactNode
}) {
  return (
    <>
      {error && (
        <p id={errorId} className="flex items-start gap-1.5 text-sm text-danger wrap-anywhere">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      {help && (
        <p id={helpId} className="text-sm text-muted">
          {help}
        </p>
      )}
    </>
  )
}

/** Classes of all text controls. */
export const controlClass =
  'w-full min-w-0 rounded-sm border border-line-strong bg-surface-0 px-3 text-base text-text placeholder:text-muted hover:border-muted focus-visible:outline-offset-0 aria-invalid:border-danger sm:text-sm'
