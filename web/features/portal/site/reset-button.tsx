export function ResetButton({ what, onReset }: { what: string; onReset: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Reset to default: ${what}`}
      onClick={onReset}
      className="relative rounded-sm text-accent before:absolute before:-inset-x-2 before:-inset-y-3 hover:underline"
    >
      Reset to default
    </button>
  )
}
