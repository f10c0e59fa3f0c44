import { useRootData } from '#web/lib/root-data.ts'
import { CopyButton } from './copy-button.tsx'

const failure = { title: 'The address could not be copied', text: 'Select it and copy it by hand.' }

/** Where the plain text of the script is, for game clients and tools. */
export function RawAddress({ slug }: { slug: string }) {
  const { site } = useRootData()
  const path = `/raw/${encodeURIComponent(slug)}`
  const address = `${site.public_url}${path}`
  return (
    <section
      aria-labelledby="raw-heading"
      className="flex flex-col gap-2 rounded-md border border-line bg-surface-1 p-4"
    >
      <h2 id="raw-heading" className="text-sm font-semibold">
        Raw address
      </h2>
      <div className="flex items-center gap-2">
        <a
          href={path}
          dir="ltr"
          className="min-h-11 min-w-0 flex-1 truncate rounded-sm border border-line bg-surface-0 px-3 py-2.5 sm:min-h-8 sm:py-1.5 font-mono text-sm text-muted hover:text-text"
        >
          {address}
        </a>
        <CopyButton label="Copy" load={() => Promise.resolve(address)} failure={failure} size="sm" />
      </div>
      <p className="text-sm text-muted">The code as plain text, always the latest version.</p>
    </section>
  )
}
