/** The cover at full size. */
export function ScriptCover({ image }: { image: string }) {
  if (!image) return null
  return (
    <div className="aspect-video overflow-hidden rounded-md border border-line bg-surface-2">
      <img src={image} alt="" width={1280} height={720} fetchPriority="high" className="size-full object-cover" />
    </div>
  )
}
