import { CoverFallback } from '../../components/cover-fallback.tsx'

/** The cover at full size; without one, a picture drawn from the title. */
export function ScriptCover({ title, image }: { title: string; image: string }) {
  return (
    <div className="aspect-video overflow-hidden rounded-md border border-line bg-surface-2">
      {image ? (
        <img src={image} alt="" width={1280} height={720} fetchPriority="high" className="size-full object-cover" />
      ) : (
        <CoverFallback title={title} />
      )}
    </div>
  )
}
