import type { LucideIcon } from 'lucide-react'
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Download from 'lucide-react/icons/download'
import Eye from 'lucide-react/icons/eye'
import Heart from 'lucide-react/icons/heart'
import ScanSearch from 'lucide-react/icons/scan-search'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode, Suspense } from 'react'
import type { DuplicateOf } from '#contract/duplicates.ts'
import { Link, useLocation } from '#web/router/router.tsx'
import type { Alert, BehaviorView } from '#web/shared/behavior/behavior-view.ts'
import { FOCUS_CODE } from '#web/shared/behavior/show-finding.ts'
import { RatingStat } from '#web/shared/cards/rating-stat.tsx'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { honorsOf, propertiesOf, warningsOf } from '#web/shared/cards/script-badges.ts'
import { SessionSlot } from '#web/shared/sign-in/session-slot.tsx'
import { ScriptCover } from '#web/shared/cards/script-cover.tsx'
import { scriptPath } from '#web/shared/script-paths.ts'
import { listOf } from '#web/lib/list-return.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { fileSize, fullCount } from '#web/lib/numbers.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { useAfterHydration } from '#web/ui/use-after-hydration.ts'
import { COPY_SHORTCUT, CopyScript, UNDECLARED_TEXT } from './copy-script.tsx'
import type { PageScript } from './script-details.ts'
import { WaitingNotice } from './waiting-notice.tsx'
import { Successor } from './withdrawn-script.tsx'

const loadSlots = () => import('./member-slots.tsx')
const ToolsSlot = lazyComponent(async () => (await loadSlots()).ToolsSlot)
const HiddenSlot = lazyComponent(async () => (await loadSlots()).HiddenSlot)
const PrivateDownload = lazyComponent(async () => (await import('./private-download.tsx')).PrivateDownload)
const SaveSlot = lazyComponent(async () => (await loadSlots()).SaveSlot)

/** Cover, title, badges, stats and actions: all that is needed to decide, above the fold. */
export function ScriptHeader({ script, behavior }: { script: PageScript; behavior: BehaviorView | null }) {
  const alert = behavior?.alert ?? null
  return (
    <header className="flex flex-col gap-4 pb-5">
      <div className="flex justify-between gap-2">
        <BackLink />
        <SessionSlot>
          <ToolsSlot script={script} />
        </SessionSlot>
      </div>
      {!script.is_public && (
        <SessionSlot>
          <HiddenSlot script={script} />
        </SessionSlot>
      )}
      {script.successor && <Successor successor={script.successor} />}
      <WaitingNotice script={script} />
      <div className="grid grid-cols-[6rem_minmax(0,1fr)] items-start gap-x-4 gap-y-3 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-x-6">
        <Cover script={script} />
        <h1
          dir="auto"
          className="self-center text-2xl leading-tight font-semibold wrap-anywhere sm:self-start sm:text-[32px]"
        >
          <bdi>{script.title}</bdi>
        </h1>
        <div className="col-span-2 flex flex-col gap-3 sm:col-span-1">
          {alert && <AlertBanner alert={alert} />}
          {/* A default summary would repeat the first sentence of the description, which is below. */}
          {script.summary_setting && (
            <p dir="auto" className="max-w-prose text-base text-muted wrap-anywhere">
              {script.summary_setting}
            </p>
          )}
          <Badges script={script} />
          <Stats script={script} />
          {behavior && !alert && <GistLink gist={behavior.gist} />}
          {script.duplicate_of && <AlsoPublished original={script.duplicate_of} />}
          {script.changelog && (
            <p className="line-clamp-2 text-sm text-muted wrap-anywhere">
              <bdi className="font-medium text-text">{script.version}:</bdi> <bdi>{script.changelog}</bdi>
            </p>
          )}
          {/* On phones, copy and download are in the bar at the bottom of the screen. */}
          <div className="flex min-h-12 flex-wrap gap-2 pt-1 max-md:noscript:hidden md:min-h-11">
            <div className="hidden gap-2 md:flex tiny:flex">
              <CopyScript
                script={script}
                alert={alert}
                label="Copy script"
                variant={alert ? 'secondary' : 'primary'}
                shortcut={COPY_SHORTCUT}
              />
              <DownloadLink script={script} />
            </div>
            <SessionSlot>
              <SaveSlot script={script} />
            </SessionSlot>
          </div>
        </div>
      </div>
    </header>
  )
}

function BackLink() {
  const list = useAfterHydration(listOf(useLocation()))
  return (
    <Link
      to={list?.href ?? '/scripts'}
      scrollKey={list?.scrollKey}
      className="-mx-2 inline-flex min-h-11 min-w-11 items-center gap-1.5 self-start rounded-sm px-2 text-sm text-muted hover:text-text sm:min-h-8"
    >
      <ArrowLeft aria-hidden className="size-4" />
      <span className="max-[22rem]:sr-only">{list ? 'Back to list' : 'All scripts'}</span>
    </Link>
  )
}

const coverClass = 'block aspect-video w-24 overflow-hidden rounded-md border border-line bg-surface-2 sm:row-span-2'

/** A small cover. An uploaded one links to the full image. */
function Cover({ script: { title, image, image_card } }: { script: PageScript }) {
  const cover = <ScriptCover title={title} src={image_card} width={640} height={360} isEager isFirst />
  if (!image) return <div className={`${coverClass} sm:w-40`}>{cover}</div>
  return (
    <a
      href={image}
      target="_blank"
      aria-label="Show the cover in full size"
      className={`${coverClass} sm:w-56 lg:w-72 hover:border-line-strong`}
    >
      {cover}
    </a>
  )
}

function Badges({ script }: { script: PageScript }) {
  return (
    <ul aria-label="Badges" className="flex flex-wrap gap-2">
      {warningsOf(script).map((label) => (
        <Badge key={label} icon={TriangleAlert} className="border border-warning text-warning">
          {label}
        </Badge>
      ))}
      {honorsOf(script).map(({ label, icon }) => (
        <Badge key={label} icon={icon} className="bg-surface-2">
          {label}
        </Badge>
      ))}
      {/* Free of charge and without a key, because warnings name the opposite. */}
      {propertiesOf({ ...script, has_key_system: false })
        .filter((label) => label !== 'Paid')
        .map((label) => (
          <Badge key={label} className="bg-surface-2 text-muted">
            {label}
          </Badge>
        ))}
    </ul>
  )
}

function Badge({ icon: Icon, className, children }: { icon?: LucideIcon; className: string; children: string }) {
  return (
    <li className={`inline-flex min-h-6 items-center gap-1.5 rounded-sm px-2 text-xs font-medium ${className}`}>
      {Icon && <Icon aria-hidden className="size-3.5" />}
      {children}
    </li>
  )
}

function Stats({ script }: { script: PageScript }) {
  return (
    <ul className="flex flex-wrap items-center gap-x-5 gap-y-2 text-muted tabular-nums">
      <Stat icon={<Eye aria-hidden className="size-4" />} unit={script.view_count === 1 ? 'view' : 'views'}>
        {fullCount(script.view_count)}
      </Stat>
      <li className="flex items-center gap-1.5">
        <RatingStat average={script.rating_average} count={script.rating_count} unrated="No ratings yet" />
        {script.rating_count > 0 && <span aria-hidden>({fullCount(script.rating_count)})</span>}
      </li>
      <Stat
        icon={<ArrowDownToLine aria-hidden className="size-4" />}
        unit={script.download_count === 1 ? 'download' : 'downloads'}
      >
        {fullCount(script.download_count)}
      </Stat>
      {/* With JavaScript, the button to favorite the script shows the number. */}
      <Stat
        icon={<Heart aria-hidden className="size-4" />}
        unit={script.favorite_count === 1 ? 'favorite' : 'favorites'}
        className="hidden noscript:flex"
      >
        {fullCount(script.favorite_count)}
      </Stat>
      <li>{fileSize(script.file_size)}</li>
      <li className="wrap-anywhere">
        Version <bdi>{script.version}</bdi>
      </li>
      <li>
        Updated <RelativeTime iso={script.updated_at} />
      </li>
    </ul>
  )
}

const bannerLink = 'inline-flex min-h-11 items-center font-medium underline underline-offset-2 sm:min-h-8'

/** What the code does that its author did not say, before anything that could make somebody copy it. */
function AlertBanner({ alert: { text, line } }: { alert: Alert }) {
  return (
    <section
      aria-label="Warning"
      className="flex items-start gap-3 rounded-md border border-danger bg-danger-soft px-4 py-3"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="text-base font-semibold">{text}.</p>
        <p className="flex flex-wrap items-center gap-x-4">
          <span>{UNDECLARED_TEXT}</span>
          {line !== null && (
            <Link to={{ hash: `L${line}` }} preventScrollReset state={FOCUS_CODE} className={bannerLink}>
              Line {line}
            </Link>
          )}
          <Link to={{ hash: 'behavior' }} className={bannerLink}>
            Code check
          </Link>
        </p>
      </div>
    </section>
  )
}

/** What the code check found, in a sentence that leads to the evidence. */
function GistLink({ gist }: { gist: string[] }) {
  return (
    <Link
      to={{ hash: 'behavior' }}
      className="-mx-2 flex min-h-11 items-start gap-1.5 self-start rounded-sm px-2 py-2 hover:bg-surface-2 sm:min-h-9"
    >
      <ScanSearch aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <span>
        <span className="font-medium">Code check:</span> {gist.join(' · ')}
      </span>
    </Link>
  )
}

/** The script of another member that had this code first. */
function AlsoPublished({ original }: { original: DuplicateOf }) {
  return (
    <p className="text-sm text-muted wrap-anywhere">
      Also published by{' '}
      <Link to={`/profile/${encodeURIComponent(original.author_slug)}`} className="underline hover:text-text">
        <bdi>{original.author}</bdi>
      </Link>
      :{' '}
      <Link to={scriptPath(original)} className="underline hover:text-text">
        <bdi>{original.title}</bdi>
      </Link>
    </p>
  )
}

interface StatProps {
  icon: ReactNode
  unit: string
  className?: string
  children: ReactNode
}

function Stat({ icon, unit, className = 'flex', children }: StatProps) {
  return (
    <li className={`items-center gap-1.5 ${className}`}>
      {icon}
      {children} {unit}
    </li>
  )
}

/** A plain link to the attachment, if the script is public. The server counts the download. */
export function DownloadLink({ script, className }: { script: PageScript; className?: string }) {
  if (!script.is_public) {
    return (
      <Suspense>
        <PrivateDownload script={script} className={className} />
      </Suspense>
    )
  }
  return (
    <a href={`/api/script-download?id=${script.id}`} download className={buttonClass('secondary', 'md', className)}>
      <Download aria-hidden className="size-4" />
      Download
    </a>
  )
}
