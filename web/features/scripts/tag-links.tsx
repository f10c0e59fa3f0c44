import type { Tag } from '#contract/catalogue.ts'
import { TagChip } from '#web/components/tag-chip.tsx'

/** Each tag searches the catalogue. */
export function TagLinks({ tags }: { tags: readonly Tag[] }) {
  if (tags.length === 0) return null
  return (
    <ul aria-label="Tags" className="flex flex-wrap gap-2">
      {tags.map((tag) => (
        <li key={tag.id} className="max-w-full">
          <TagChip name={tag.name} className="min-h-11 px-3 text-sm sm:min-h-8" />
        </li>
      ))}
    </ul>
  )
}
