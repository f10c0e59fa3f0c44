import { Button } from '#web/ui/button.tsx'

interface Props {
  isDirty: boolean
  isBusy: boolean
  discard: () => void
  className?: string
}

/** The buttons below a form that saves all of its fields together; at the bottom of the window while there are changes. */
export function SaveBar({ isDirty, isBusy, discard, className = '' }: Props) {
  return (
    <div
      data-dirty={isDirty || undefined}
      className={`bottom-0 z-10 -mx-4 flex flex-wrap items-center justify-end gap-3 border-line bg-surface-0 px-4 pb-[max(1rem,env(safe-area-inset-bottom))] data-dirty:sticky data-dirty:border-t data-dirty:pt-4 sm:mx-0 sm:px-0 ${className}`}
    >
      <output className="mr-auto text-sm text-muted max-sm:w-full">{isDirty && 'You have unsaved changes.'}</output>
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
    </div>
  )
}
