import { Checkbox } from '#web/ui/checkbox.tsx'

/** A row's checkbox, as large to touch as a finger. */
export function SelectBox({ label, isChecked, onToggle }: { label: string; isChecked: boolean; onToggle: () => void }) {
  return (
    <label className="-m-2 inline-grid size-11 align-middle shrink-0 cursor-pointer place-items-center md:size-9">
      <span className="sr-only">{label}</span>
      <Checkbox checked={isChecked} onChange={onToggle} />
    </label>
  )
}
