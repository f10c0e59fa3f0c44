import Rss from 'lucide-react/icons/rss'

/** A link to the Atom feed of what the page shows. A plain link, because feeds are not pages of the app. */
export function FeedLink({ path, label }: { path: string; label: string }) {
  return (
    <a
      href={path}
      type="application/atom+xml"
      aria-label={`Feed: ${label}`}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-sm text-sm text-muted hover:text-text sm:min-h-8"
    >
      <Rss aria-hidden className="size-4" />
      Feed
    </a>
  )
}
