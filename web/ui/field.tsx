import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import { type ReactNode, useId } from 'react'

/** What ties a control to its label, its help and what is wrong with it. */
export interface FieldAria {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

interface Props {
  /** The field's name as the server says it: the first wrong one is found by it. */
  name: string
  label: string
  help?: ReactNode
  /** What is wrong and what to do. */
  error?: string | undefined
  isRequired?: boolean
  /** Stands at the end of the label's line: a count, say. */
  aside?: ReactNode
  children: (aria: FieldAria) => ReactNode
}

/** A control with its label above and its help, or what is wrong, below. */
export function Field({ name, label, help, error, isRequired = false, aside, children }: Props) {
  const id = useId()
  const helpId = `${id}-help`
  const errorId = `${id}-error`
  const describedBy = [error ? errorId : '', help ? helpId : ''].filter(Boolean).join(' ')
  return (
    <div data-field={name} className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-medium">
          {label}
          {isRequired && <RequiredMark />}
        </label>
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

/** Read out by `aria-required` on the control itself. */
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

/** The frame of everything that can be typed into. */
export const controlClass =
  'w-full min-w-0 rounded-sm border border-line-strong bg-surface-0 px-3 text-base text-text placeholder:text-muted hover:border-muted focus-visible:outline-offset-0 aria-invalid:border-danger sm:text-sm'
