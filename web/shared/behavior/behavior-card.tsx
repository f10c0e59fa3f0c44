import type { LucideIcon } from 'lucide-react'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import CircleX from 'lucide-react/icons/circle-x'
import EyeOff from 'lucide-react/icons/eye-off'
import FileQuestion from 'lucide-react/icons/file-question-mark'
import History from 'lucide-react/icons/history'
import Link2 from 'lucide-react/icons/link-2'
import ScanSearch from 'lucide-react/icons/scan-search'
import Server from 'lucide-react/icons/server'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { type ReactNode, useEffect, useId } from 'react'
import { describeOpaque } from '#contract/behavior-names.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { CAPABILITY_TEXTS, CERTAINTY_TEXTS, DECLARED_TEXTS, LEVEL_TEXTS } from '#web/lib/behavior-text.ts'
import { Link, useLocation } from '#web/router/router.tsx'
import { type BehaviorView, compileTitle, type FindingView } from './behavior-view.ts'
import { GROUP_ICONS, LevelIcon } from './icons.tsx'
import { findingId, FOCUS_CODE, showFinding } from './show-finding.ts'

interface Props {
  behavior: BehaviorView
  /** Shows a line of the code. Undefined if the URL's hash does that. */
  onLine?: ((line: number) => void) | undefined
  /** Distinguishes the ids of several cards on a page. */
  scope?: string
  /** The status of a running analysis, shown above the findings. */
  children?: ReactNode
}

/** What a version of a script does, with evidence. It never says that a script is harmless, and gives no score. */
export function BehaviorCard({ behavior, onLine, scope = '', children }: Props) {
  // Every navigation creates a new location, even to the same finding.
  const location = useLocation()
  useEffect(() => {
    const { hash } = location
    if (hash.startsWith('#finding-')) showFinding(scope + decodeURIComponent(hash.slice(1)))
  }, [location, scope])
  const { groups, servers, namedHosts, declaredNotFound, opaque, isMostlyUnread } = behavior
  const notChecked = opaque.length > 0 && <NotChecked opaque={opaque} />
  return (
    <div className="divide-y divide-line rounded-md border border-line bg-surface-1">
      <Notices behavior={behavior} onLine={onLine} />
      {children}
      {isMostlyUnread && notChecked}
      {groups.map(({ title, findings }) => (
        <Group key={title} title={title} icon={GROUP_ICONS[title]}>
          <ul>
            {findings.map((finding) => (
              <Finding key={finding.id} finding={finding} onLine={onLine} scope={scope} />
            ))}
          </ul>
        </Group>
      ))}
      {servers.length > 0 && (
        <Group title="Servers" icon={Server}>
          <Hosts hosts={servers} onLine={onLine} />
        </Group>
      )}
      {namedHosts.length > 0 && (
        <Group title="Also named in the text" icon={Link2}>
          <div className="min-w-0">
            <p className="pt-2.5 text-muted">These addresses are in the script's text.</p>
            <Hosts hosts={namedHosts} onLine={onLine} />
          </div>
        </Group>
      )}
      {declaredNotFound.length > 0 && (
        <Group title="Declared, not found" icon={FileQuestion}>
          <p className="py-2.5 text-muted">
            The author says that it does this, but we didn't see it: {declaredNotFound.join('; ')}.
          </p>
        </Group>
      )}
      {!isMostlyUnread && notChecked}
      <Footer behavior={behavior} />
    </div>
  )
}

function NotChecked({ opaque }: Pick<BehaviorView, 'opaque'>) {
  return (
    <Group title="Not checked" icon={EyeOff}>
      <ul className="py-2.5 text-muted">
        {opaque.map(({ reason, count }) => (
          <li key={reason}>
            {describeOpaque(reason)}
            {count > 1 && ` (${count} places)`}
          </li>
        ))}
      </ul>
    </Group>
  )
}

function Notices({ behavior, onLine }: Pick<Props, 'behavior' | 'onLine'>) {
  const { status, compiles, compile_error, changes, is_outdated, version, groups, isComplete } = behavior
  const isEmpty = status === 'ready' && groups.length === 0
  return (
    <>
      {compiles === false && (
        <Notice icon={CircleX} tone="text-danger" title={compileTitle(compile_error?.line)}>
          It can't run like this.
          {compile_error && (
            <>
              {' '}
              The compiler says: <span className="font-mono text-sm wrap-anywhere">{compile_error.message}</span>{' '}
              <LineLink
                line={compile_error.line}
                onLine={onLine}
                className="-my-2.5 inline-flex min-h-11 items-center"
              />
            </>
          )}
        </Notice>
      )}
      {changes.length > 0 && (
        <Notice icon={History} tone="text-warning" title={`New in version ${version}`}>
          This update {changes.join('. It ')}.
        </Notice>
      )}
      {status === 'failed' && (
        <Notice icon={TriangleAlert} tone="text-warning" title="We couldn't check this version">
          Reading and running it both failed. Read the code before you run it.
        </Notice>
      )}
      {is_outdated && status === 'ready' && (
        <Notice icon={History} tone="text-muted" title="Checked with an older version">
          We'll check it again soon. These are the earlier results.
        </Notice>
      )}
      {isEmpty && !isComplete && compiles !== false && (
        <Notice icon={TriangleAlert} tone="text-warning" title="Only partly checked">
          We couldn't check all of it. Read the code before you run it.
        </Notice>
      )}
      {isEmpty && isComplete && (
        <Notice icon={ScanSearch} tone="text-muted" title="Nothing found in our code check">
          It doesn't seem to use the internet, files or your data. Our check can miss things, so read the code first.
        </Notice>
      )}
    </>
  )
}

interface NoticeProps {
  icon: LucideIcon
  tone: string
  title: string
  children: ReactNode
}

export function Notice({ icon: Icon, tone, title, children }: NoticeProps) {
  return (
    <div className="flex items-start gap-2 px-4 py-3">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${tone}`} />
      <div className="min-w-0 flex-1">
        <p className="font-semibold wrap-anywhere">{title}</p>
        <div className="text-muted wrap-anywhere">{children}</div>
      </div>
    </div>
  )
}

function Group({ title, icon: Icon, children }: { title: string; icon: LucideIcon | undefined; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-x-4 px-4 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <h3 id={id} className="flex items-start gap-2 pt-2.5 text-sm font-medium text-muted sm:pb-2.5">
        {Icon && <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />}
        {title}
      </h3>
      {children}
    </section>
  )
}

interface FindingProps {
  finding: FindingView
  onLine: Props['onLine']
  scope: string
}

/** One finding. The evidence opens without JavaScript, too. */
function Finding({ finding, onLine, scope }: FindingProps) {
  const { id, level, text, certainty, declared, places, lines, count, detail } = finding
  const [first] = places
  return (
    <li id={findingId(id, scope)} className="relative border-line not-first:border-t">
      <details className="peer group">
        <summary className="-mx-2 flex min-h-11 list-none items-start gap-2 rounded-sm px-2 py-2.5 hover:bg-surface-2 focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
          <LevelIcon level={level} hasWords={level === 'warning'} />
          <span className={`min-w-0 flex-1 ${first ? 'pr-16' : ''} group-open:pr-0`}>
            <span className="font-medium wrap-anywhere">{text}</span>
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
              {level === 'warning' && <span className="font-medium text-danger">{LEVEL_TEXTS.warning}</span>}
              <Declared declared={declared} />
              <span>{CERTAINTY_TEXTS[certainty]}</span>
              {count > 1 && places.length > 0 && <span>{count} places</span>}
            </span>
          </span>
          <ChevronDown aria-hidden className="mt-0.5 size-5 shrink-0 text-muted group-open:rotate-180" />
        </summary>
        <div className="flex flex-col gap-2 pb-3 pl-7">
          <p className="max-w-prose text-muted">{CAPABILITY_TEXTS[id].explanation}</p>
          {detail && <p className="text-muted">In the whole script: {detail}.</p>}
          {places.length > 0 && (
            <ul className="flex flex-col gap-2">
              {places.map(({ line, excerpt, detail: what }) => (
                <li key={`${line} ${what}`} className="rounded-sm bg-surface-0 px-3 py-1 text-sm">
                  <p className="flex flex-wrap items-center gap-x-2">
                    <LineLink line={line} onLine={onLine} className="inline-flex min-h-11 items-center sm:min-h-8" />
                    <span className="min-w-0 text-muted wrap-anywhere">{what}</span>
                  </p>
                  <code dir="ltr" className="block pb-1 font-mono wrap-anywhere whitespace-pre-wrap">
                    {excerpt}
                  </code>
                </li>
              ))}
            </ul>
          )}
          <MorePlaces rest={count - places.length} lines={lines} onLine={onLine} />
        </div>
      </details>
      {first && (
        <LineLink
          line={first.line}
          onLine={onLine}
          className="absolute top-0 right-5 flex min-h-11 items-center px-2 peer-open:hidden"
        />
      )}
    </li>
  )
}

function Declared({ declared }: { declared: FindingView['declared'] }) {
  if (declared === 'not_asked') return null
  if (declared === 'undeclared') {
    return (
      <span className="rounded-sm border border-warning px-1.5 text-xs leading-5 font-medium text-warning">
        {DECLARED_TEXTS.undeclared}
      </span>
    )
  }
  return (
    <span className="inline-flex items-center gap-1">
      <Check aria-hidden className="size-4 text-success" />
      {DECLARED_TEXTS.declared}
    </span>
  )
}

function MorePlaces({ rest, lines, onLine }: { rest: number; lines: number[]; onLine: Props['onLine'] }) {
  if (rest <= 0 || lines.length === 0) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
      {rest} more {rest === 1 ? 'place' : 'places'}:
      {lines.map((line) => (
        <LineLink key={line} line={line} onLine={onLine} className="inline-flex min-h-11 items-center sm:min-h-8" />
      ))}
    </p>
  )
}

interface LineProps {
  line: number
  onLine: Props['onLine']
  className: string
}

function LineLink({ line, onLine, className }: LineProps) {
  const look = `${className} text-sm font-medium whitespace-nowrap text-accent tabular-nums hover:underline`
  if (onLine) {
    return (
      <button type="button" onClick={() => onLine(line)} className={look}>
        Line {line}
      </button>
    )
  }
  return (
    <Link to={{ hash: `L${line}` }} preventScrollReset state={FOCUS_CODE} className={look}>
      Line {line}
    </Link>
  )
}

const MAX_HOSTS = 6

function Hosts({ hosts, onLine }: { hosts: BehaviorView['servers']; onLine: Props['onLine'] }) {
  const rest = hosts.length - MAX_HOSTS
  const rows = (some: BehaviorView['servers']) => (
    <ul>
      {some.map((host) => (
        <HostRow key={host.host} host={host} onLine={onLine} />
      ))}
    </ul>
  )
  return (
    <div className="min-w-0 py-1">
      {rows(hosts.slice(0, MAX_HOSTS))}
      {rest > 0 && (
        <details>
          <summary className="min-h-11 content-center text-sm text-muted sm:min-h-8">
            {rest} more {rest === 1 ? 'server' : 'servers'}
          </summary>
          {rows(hosts.slice(MAX_HOSTS))}
        </details>
      )}
    </div>
  )
}

function HostRow({ host, onLine }: { host: BehaviorView['servers'][number]; onLine: Props['onLine'] }) {
  const { kind, declared, line } = host
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-2 sm:min-h-9">
      <Link
        to={`/scripts?host=${encodeURIComponent(host.host)}`}
        dir="ltr"
        title="Other scripts with this server"
        className="inline-flex min-h-11 min-w-0 items-center font-mono text-sm wrap-anywhere hover:text-accent hover:underline sm:min-h-8"
      >
        {host.host}
      </Link>
      {kind === 'collector' && (
        <span className="inline-flex items-center gap-1 text-sm font-medium text-danger">
          <TriangleAlert aria-hidden className="size-4" />
          Known to collect data
        </span>
      )}
      <span className="text-sm text-muted">
        <Declared declared={declared} />
      </span>
      <LineLink line={line} onLine={onLine} className="ml-auto inline-flex min-h-11 items-center px-2 sm:min-h-8" />
    </li>
  )
}

function Footer({ behavior: { status, analyzed_at, version } }: Pick<Props, 'behavior'>) {
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-4 px-4 py-1.5 text-sm text-muted">
      <span className="wrap-anywhere">
        Version <bdi>{version}</bdi>
        {analyzed_at && status !== 'pending' && (
          <>
            , checked <RelativeTime iso={analyzed_at} />
          </>
        )}
      </span>
      <Link to="/behavior" className="inline-flex min-h-11 items-center text-accent hover:underline sm:min-h-8">
        How we know
      </Link>
    </p>
  )
}
