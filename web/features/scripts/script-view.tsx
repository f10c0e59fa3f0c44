import ArrowLeft from 'lucide-react/icons/arrow-left'
import { Link } from 'react-router'
import { ScriptCover } from '#web/components/script-cover.tsx'
import { PageHead } from '#web/components/page-head.tsx'
import { PageBadges } from './page-badges.tsx'
import { AuthorCard } from './author-card.tsx'
import { CodeFrame } from './code-frame.tsx'
import { CopyScript } from './copy-script.tsx'
import { cutText } from '#web/lib/text.ts'
import { Description } from './description.tsx'
import { DownloadLink } from './download-link.tsx'
import { Extra } from './extra.tsx'
import type { ScriptDetails } from './load-script.ts'
import { MobileBar } from './mobile-bar.tsx'
import { RatingsPanel } from './ratings-panel.tsx'
import { RawAddress } from './raw-address.tsx'
import { ScriptFacts } from './script-facts.tsx'
import { ScriptNotices } from './script-notices.tsx'
import { ScriptSummary } from './script-summary.tsx'
import { SectionNav } from './section-nav.tsx'
import { TagLinks } from './tag-links.tsx'

const PREVIEW_TAG_LENGTH = 160
const main = 'flex min-w-0 flex-col gap-5 lg:col-start-1'

export function ScriptView({ details: { script, preview, ratings } }: { details: ScriptDetails }) {
  return (
    <>
      <PageHead
        title={script.title}
        description={cutText(script.description.replaceAll(/\s+/g, ' '), PREVIEW_TAG_LENGTH).head}
        path={`/scripts/${encodeURIComponent(script.slug)}`}
        {...(script.image ? { image: script.image } : {})}
      />
      <div className="mx-auto w-full max-w-7xl px-4 pt-4 md:pb-16">
        <ScriptHeader script={script} />
        <SectionNav />
        <div className="grid gap-x-8 gap-y-10 pt-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_auto_1fr]">
          <section id="overview" aria-label="Overview" className={main}>
            <div className="aspect-video overflow-hidden rounded-md border border-line bg-surface-2">
              <ScriptCover title={script.title} src={script.image} width={1280} height={720} isEager isFirst />
            </div>
            <Description text={script.description} />
            <TagLinks tags={script.tags} />
            <ScriptNotices script={script} />
          </section>
          <section id="preview" aria-labelledby="preview-heading" className={main}>
            <h2 id="preview-heading" className="text-xl font-semibold">
              Preview
            </h2>
            <CodeFrame preview={preview} fileName={`${script.slug}.luau`}>
              <CopyScript script={script} variant="ghost" size="sm" />
            </CodeFrame>
            <div className="min-h-11 sm:min-h-8">
              <Extra part="versions" script={script} />
            </div>
          </section>
          <aside
            aria-label="About this script"
            className="flex min-w-0 flex-col gap-4 lg:col-start-2 lg:row-span-3 lg:row-start-1"
          >
            <AuthorCard script={script} />
            <ScriptFacts script={script} />
            {script.is_public && <RawAddress slug={script.slug} />}
          </aside>
          <section id="ratings" aria-labelledby="ratings-heading" className={main}>
            <h2 id="ratings-heading" className="text-xl font-semibold">
              Ratings and reviews
            </h2>
            <RatingsPanel script={script} ratings={ratings} />
          </section>
        </div>
        <MobileBar script={script} />
      </div>
    </>
  )
}

function ScriptHeader({ script }: { script: ScriptDetails['script'] }) {
  return (
    <header className="flex flex-col gap-4 pb-5">
      <div className="flex justify-between gap-2">
        <Link
          to="/scripts"
          className="-mx-2 inline-flex min-h-11 items-center gap-1.5 self-start rounded-sm px-2 text-sm text-muted hover:text-text sm:min-h-8"
        >
          <ArrowLeft aria-hidden className="size-4" />
          All scripts
        </Link>
        <Extra part="owner" script={script} />
      </div>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
        <div className="flex min-w-0 flex-1 basis-80 flex-col gap-3">
          <h1 dir="auto" className="text-2xl leading-tight font-semibold wrap-anywhere sm:text-[32px]">
            <bdi>{script.title}</bdi>
          </h1>
          <PageBadges script={script} />
        </div>
        <div className="hidden gap-2 md:flex">
          <CopyScript script={script} label="Copy script" variant="primary" />
          {script.is_public && <DownloadLink id={script.id} />}
        </div>
      </div>
      <ScriptSummary script={script} />
    </header>
  )
}
