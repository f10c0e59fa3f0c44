import { useState } from 'react'
import { BADGE_METRICS, type BadgeMetric, EMBED_SIZE } from '#contract/limits.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { useRootData } from '#web/lib/root-data.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/select.tsx'
import type { PageScript } from './script-details.ts'

const THEMES = { auto: 'Automatic', dark: 'Dark', light: 'Light' } as const
type Theme = keyof typeof THEMES

const BADGE_LABELS: Record<BadgeMetric, string> = {
  downloads: 'Downloads',
  rating: 'Rating',
  works: 'Votes on whether it works',
  version: 'Version',
}

/** The card is taller on phones. A viewport is a little wider than the frame in it. */
const STYLE = `border:0;max-width:100%;height:clamp(${EMBED_SIZE.height}px,(${EMBED_SIZE.narrowWidth + 60}px - 100vw)*999,${EMBED_SIZE.narrowHeight}px)`

const failure = { title: "Couldn't copy the code", text: 'Select and copy it.' }

interface Props {
  script: Pick<PageScript, 'slug' | 'title'>
  onClose: () => void
}

/** The code to show a script in another site, with a preview, and badges for a README. */
export function EmbedDialog({ script, onClose }: Props) {
  const { site } = useRootData()
  const [theme, setTheme] = useState<Theme>('auto')
  const slug = encodeURIComponent(script.slug)
  const path = `/embed/${slug}${theme === 'auto' ? '' : `?theme=${theme}`}`
  const title = `${script.title} · ${site.name}`
  const code = `<iframe src="${site.public_url}${path}" title="${escapeAttribute(title)}" width="${EMBED_SIZE.width}" height="${EMBED_SIZE.height}" loading="lazy" style="${STYLE}"></iframe>`
  return (
    <Dialog title="Embed" onClose={onClose}>
      <div className="flex flex-col gap-6">
        <section aria-label="Card" className="flex flex-col gap-3">
          <p className="text-muted">Shows this script in another site. It runs no code and sets no cookies.</p>
          <Select label="Theme" name="theme" value={theme} options={THEMES} onChange={setTheme} isLabelAlwaysVisible />
          <iframe
            src={path}
            title="Preview of the card"
            // The cover loads for the site's own origin only. The page has no scripts.
            sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
            className="h-55 w-full max-w-140 rounded-md border-0 max-[480px]:h-85"
          />
          <Code label="Code of the card" text={code} />
        </section>
        <section aria-labelledby="badges" className="flex flex-col gap-3">
          <h3 id="badges" className="font-semibold">
            Badges
          </h3>
          <p className="text-muted">For a README or a forum. They stay up to date.</p>
          <ul className="flex flex-col gap-4">
            {BADGE_METRICS.map((metric) => (
              <li key={metric} className="flex flex-col gap-2">
                <img src={`/badge/${slug}/${metric}.svg`} alt={BADGE_LABELS[metric]} className="h-5 self-start" />
                <Code
                  label={`Markdown of the badge: ${BADGE_LABELS[metric]}`}
                  text={`[![${BADGE_LABELS[metric]}](${site.public_url}/badge/${slug}/${metric}.svg)](${site.public_url}/scripts/${slug})`}
                />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Dialog>
  )
}

function Code({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex items-start gap-2">
      <input
        readOnly
        value={text}
        aria-label={label}
        onFocus={(event) => event.target.select()}
        className="h-11 min-w-0 flex-1 rounded-sm border border-line bg-surface-2 px-3 font-mono text-sm sm:h-8"
      />
      <CopyButton size="sm" load={() => Promise.resolve(text)} failure={failure} />
    </div>
  )
}

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
