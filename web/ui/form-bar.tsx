import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface FormBarProps {
  /** Whether the bar stays at the bottom of the window. On phones, messages then leave the bottom to it. */
  isSticky?: boolean
  /** Whether the bar reaches the edges of a dialog. */
  isInDialog?: boolean
  className?: string
  children: ReactNode
}

const pageClass = 'bottom-0 -mx-4 bg-surface-0 px-4 sm:mx-0 sm:px-0'
/** Over the padding of the dialog. */
const dialogClass = '-bottom-5 -mx-5 -mb-5 bg-surface-1 px-5'

/** The status and the buttons at the end of a form. */
export function FormBar({ isSticky = true, isInDialog = false, className = '', children }: FormBarProps) {
  return (
    <div
      data-form-bar={isSticky || undefined}
      className={`z-10 flex flex-wrap items-center justify-end gap-3 border-line pb-[max(1rem,env(safe-area-inset-bottom))] data-form-bar:sticky data-form-bar:border-t data-form-bar:pt-4 short:data-form-bar:static ${isInDialog ? dialogClass : pageClass} ${className}`}
    >
      {children}
    </div>
  )
}

/** Status of a form, such as unsaved changes. Takes no space while it is empty, but stays a live region for screen readers. */
export function FormStatus({ children }: { children: ReactNode }) {
  return <output className="mr-auto text-sm text-muted empty:absolute max-sm:w-full">{children}</output>
}

interface SaveBarProps {
  isDirty: boolean
  isBusy: boolean
  discard: () => void
  className?: string
}

/** The bar of a form that saves all of its fields together; sticky while there are changes. */
export function SaveBar({ isDirty, isBusy, discard, className = '' }: SaveBarProps) {
  return (
    <FormBar isSticky={isDirty} className={className}>
      <FormStatus>{isDirty && 'You have unsaved changes.'}</FormStatus>
      <Button disabled={!isDirty || isBusy} onClick={discard} className="max-sm:flex-1">
        Discard
      </Button>
      <Button
        type="submit"
        variant="primary"
        disabled={!isDirty}
        aria-disabled={isBusy}
        className="min-w-36 max-sm:flex-1"
      >
        {isBusy ? 'Saving...' : 'Save changes'}
      </Button>
    </FormBar>
  )
}
