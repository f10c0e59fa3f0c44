import { useState } from 'react'
import { Link } from '#web/router/router.tsx'
import type { LucideIcon } from 'lucide-react'
import BadgeCheck from 'lucide-react/icons/badge-check'
import BadgeX from 'lucide-react/icons/badge-x'
import Ellipsis from 'lucide-react/icons/ellipsis'
import ExternalLink from 'lucide-react/icons/external-link'
import FileX from 'lucide-react/icons/file-x-corner'
import Star from 'lucide-react/icons/star'
import StarOff from 'lucide-react/icons/star-off'
import Trash from 'lucide-react/icons/trash'
import type { AdminScript } from '#contract/admin.ts'
import type { ResultOf } from '#contract/operations.ts'
import { RelativeTime } from '#web/shared/relative-time.tsx'
import { ScriptCover } from '#web/shared/cards/script-cover.tsx'
import { compactCount, fileSize, fullCount, ratingText } from '#web/lib/numbers.ts'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { Menu, MenuAction, MenuLink } from '#web/ui/menu.tsx'
import { Select } from '#web/ui/select.tsx'
import { readListQuery, useListQuery } from '#web/features/portal/list-query.ts'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import {
  ACTION_LABELS,
  actionsFor,
  BulkScriptDialog,
  ConfirmScriptAction,
  type ScriptAction,
} from './script-dialogs.tsx'
import { ScriptPills } from '#web/features/portal/script-pills.tsx'
import {
  CardList,
  SelectableCard,
  SelectableList,
  SelectBox,
  type Selection,
  useSelection,
} from '#web/features/portal/selectable-list.tsx'
import { SearchField } from '#web/features/portal/tab-parts.tsx'
import { cell, Head, numberCell, Table, useIsWide } from '#web/features/portal/table.tsx'

const PAGE_SIZE = 10
const QUERY = {
  search: [],
  status: ['all', 'featured', 'verified', 'public', 'private'],
  type: ['all', 'featured', 'verified'],
} as const
const STATUS = { all: 'All', featured: 'Featured', verified: 'Verified', public: 'Public', private: 'Private' }
const TYPES = { all: 'All', featured: 'Featured', verified: 'Verified' }
const ACTION_ICONS: Record<ScriptAction, LucideIcon> = {
  feature: Star,
  unfeature: StarOff,
  verify: BadgeCheck,
  unverify: BadgeX,
  delete: Trash,
}
const EMPTY = { icon: FileX, title: 'No scripts found', text: 'No scripts match. Try another search or filter.' }
const NO_SCRIPTS: readonly AdminScript[] = []

type Opened = { scripts: readonly AdminScript[] } | { script: AdminScript; action: ScriptAction }

export const loader = createLoader(
  (api, { query, signal }) =>
    api('GET /api/admin-scripts', { query: { ...readListQuery(query, QUERY), limit: PAGE_SIZE }, signal }),
  { errorTitle: 'Failed to fetch scripts' },
)

export function Component() {
  const { values, change, hrefOfPage } = useListQuery(QUERY)
  const tab = useTabData<ResultOf<'GET /api/admin-scripts'>>()
  const scripts = tab.data?.scripts ?? NO_SCRIPTS
  const selection = useSelection(scripts)
  const [opened, setOpened] = useState<Opened>()
  const List = useIsWide() ? ScriptTable : ScriptCards
  const close = () => setOpened(undefined)

  return (
    <>
      <SelectableList
        tab={tab}
        singular="script"
        plural="scripts"
        empty={EMPTY}
        hrefOfPage={hrefOfPage}
        selection={selection}
        onBulk={(selected) => setOpened({ scripts: selected })}
        filters={
          <>
            <SearchField
              label="Search by title, description or author"
              value={values.search}
              onSearch={(search) => change({ search })}
            />
            <Select
              isLabelAlwaysVisible
              label="Status"
              value={values.status}
              options={STATUS}
              onChange={(status) => change({ status })}
            />
            <Select
              isLabelAlwaysVisible
              label="Type"
              value={values.type}
              options={TYPES}
              onChange={(type) => change({ type })}
            />
          </>
        }
      >
        {scripts.length > 0 && (
          <List
            scripts={scripts}
            selection={selection}
            isPending={tab.isPending}
            onChoose={(script, action) => setOpened({ script, action })}
          />
        )}
      </SelectableList>
      {opened && 'action' in opened && <ConfirmScriptAction {...opened} onClose={close} />}
      {opened && 'scripts' in opened && <BulkScriptDialog scripts={opened.scripts} onClose={close} />}
    </>
  )
}

interface ListProps {
  scripts: readonly AdminScript[]
  selection: Selection<AdminScript>
  isPending: boolean
  onChoose: (script: AdminScript, action: ScriptAction) => void
}

function ScriptTable({ scripts, selection, isPending, onChoose }: ListProps) {
  return (
    <Table
      label="Scripts"
      isPending={isPending}
      head={
        <>
          <Head>
            <SelectBox label="Select all" isChecked={selection.isAll} onToggle={selection.toggleAll} />
          </Head>
          <Head>Script</Head>
          <Head isNumber>Size</Head>
          <Head isNumber>Views</Head>
          <Head isNumber>Downloads</Head>
          <Head isNumber>Rating</Head>
          <Head>Status</Head>
          <Head>Created</Head>
          <Head>
            <span className="sr-only">Actions</span>
          </Head>
        </>
      }
    >
      {scripts.map((script) => (
        <tr key={script.id} aria-selected={selection.isSelected(script.id)} className="aria-selected:bg-accent-soft">
          <td className={`${cell} w-10`}>
            <SelectBox
              label={`Select ${script.title}`}
              isChecked={selection.isSelected(script.id)}
              onToggle={() => selection.toggle(script.id)}
            />
          </td>
          <td className={`${cell} w-full max-w-0 min-w-52`}>
            <ScriptTitle script={script} />
          </td>
          <td className={`${numberCell} whitespace-nowrap`}>{fileSize(script.file_size)}</td>
          <td className={numberCell} title={fullCount(script.view_count)}>
            {compactCount(script.view_count)}
          </td>
          <td className={numberCell} title={fullCount(script.download_count)}>
            {compactCount(script.download_count)}
          </td>
          <td className={`${numberCell} whitespace-nowrap`}>{ratingText(script.rating_average)}/5</td>
          <td className={cell}>
            <ScriptPills script={script} />
          </td>
          <td className={`${cell} min-w-20 xl:whitespace-nowrap`}>
            <RelativeTime iso={script.created_at} />
          </td>
          <td className={`${cell} w-12`}>
            <ScriptMenu script={script} onChoose={(action) => onChoose(script, action)} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function ScriptCards({ scripts, selection, isPending, onChoose }: ListProps) {
  return (
    <CardList label="Scripts" selection={selection} isPending={isPending}>
      {scripts.map((script) => (
        <SelectableCard
          key={script.id}
          name={script.title}
          isSelected={selection.isSelected(script.id)}
          onToggle={() => selection.toggle(script.id)}
          title={<ScriptTitle script={script} />}
          menu={<ScriptMenu script={script} onChoose={(action) => onChoose(script, action)} />}
        >
          <ScriptPills script={script} />
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted tabular-nums">
            <span>{fileSize(script.file_size)}</span>
            <span>{compactCount(script.view_count)} views</span>
            <span>{compactCount(script.download_count)} downloads</span>
            <span>{ratingText(script.rating_average)}/5</span>
            <RelativeTime iso={script.created_at} />
          </p>
        </SelectableCard>
      ))}
    </CardList>
  )
}

/** Cover, title, summary, version and author. */
function ScriptTitle({ script }: { script: AdminScript }) {
  return (
    <div className="flex min-w-0 items-start gap-3">
      <div aria-hidden className="aspect-video w-20 shrink-0 overflow-hidden rounded-sm bg-surface-2">
        <ScriptCover title={script.title} src={script.image_card} width={80} height={45} />
      </div>
      <div className="min-w-0 flex-1">
        <Link
          to={`/scripts/${encodeURIComponent(script.slug)}`}
          className="block truncate font-medium hover:text-accent hover:underline"
        >
          <bdi>{script.title}</bdi>
        </Link>
        <p dir="auto" className="truncate text-sm text-muted">
          {script.summary}
        </p>
        <p className="truncate text-xs text-muted">
          Version <bdi>{script.version}</bdi> by{' '}
          <Link to={`/admin/users/${script.author_id}`} className="text-text hover:text-accent hover:underline">
            <bdi>{script.author_name}</bdi>
          </Link>
        </p>
      </div>
    </div>
  )
}

function ScriptMenu({ script, onChoose }: { script: AdminScript; onChoose: (action: ScriptAction) => void }) {
  return (
    <Menu
      label={`Actions for ${script.title}`}
      button={<Ellipsis aria-hidden className="size-5" />}
      buttonClass={iconButtonClass}
    >
      <MenuLink to={`/scripts/${encodeURIComponent(script.slug)}`} icon={ExternalLink}>
        View page
      </MenuLink>
      {actionsFor(script).map((action) => (
        <MenuAction
          key={action}
          icon={ACTION_ICONS[action]}
          {...(action === 'delete' ? { tone: 'danger' as const } : {})}
          onSelect={() => onChoose(action)}
        >
          {ACTION_LABELS[action]}
        </MenuAction>
      ))}
    </Menu>
  )
}
