import FileX2 from 'lucide-react/icons/file-x-corner'
import { useState } from 'react'
import type { AdminScript } from '#contract/admin.ts'
import { useApi } from '#web/lib/api-context.ts'
import { Select } from '#web/ui/select.tsx'
import { SearchField } from '#web/features/admin/search-field.tsx'
import { SelectableList } from '#web/features/admin/selectable-list.tsx'
import { useIsWide } from '#web/features/admin/use-is-wide.ts'
import { useLive } from '#web/features/admin/use-live.ts'
import { useSelection } from '#web/features/admin/use-selection.ts'
import { useTabQuery } from '#web/features/admin/use-tab-query.ts'
import { BulkScripts } from './bulk-scripts.tsx'
import { ConfirmScript } from './confirm-script.tsx'
import { ScriptCards } from './script-cards.tsx'
import type { ScriptAction } from './script-actions.ts'
import { ScriptTable } from './script-table.tsx'

const PAGE_SIZE = 10
const CHOICES = {
  search: [],
  status: ['all', 'featured', 'verified', 'public', 'private'],
  type: ['all', 'featured', 'verified'],
} as const
const STATUS = { all: 'All', featured: 'Featured', verified: 'Verified', public: 'Public', private: 'Private' }
const TYPES = { all: 'All', featured: 'Featured', verified: 'Verified' }
const NONE: readonly AdminScript[] = []
const EMPTY = { icon: FileX2, title: 'No scripts found', text: 'Nothing fits all of this. Try another word or filter.' }

type Opened = { scripts: readonly AdminScript[] } | { script: AdminScript; deed: ScriptAction }

export function Tab() {
  const api = useApi()
  const { values, key, change, hrefOfPage } = useTabQuery(CHOICES)
  const live = useLive(
    `scripts${key}`,
    (signal) => api('GET /api/admin-scripts', { query: { ...values, limit: PAGE_SIZE }, signal }),
    'Failed to fetch scripts',
  )
  const scripts = live.data?.scripts ?? NONE
  const selection = useSelection(scripts)
  const [opened, setOpened] = useState<Opened>()
  const List = useIsWide() ? ScriptTable : ScriptCards
  const close = () => setOpened(undefined)
  const onDone = () => void live.reload()

  return (
    <>
      <SelectableList
        live={live}
        one="script"
        many="scripts"
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
              keepsLabel
              label="Status"
              value={values.status}
              options={STATUS}
              onChange={(status) => change({ status })}
            />
            <Select keepsLabel label="Type" value={values.type} options={TYPES} onChange={(type) => change({ type })} />
          </>
        }
      >
        {scripts.length > 0 && (
          <List
            scripts={scripts}
            selection={selection}
            isPending={live.isPending}
            onChoose={(script, deed) => setOpened({ script, deed })}
          />
        )}
      </SelectableList>
      {opened && 'deed' in opened && <ConfirmScript {...opened} onDone={onDone} onClose={close} />}
      {opened && 'scripts' in opened && <BulkScripts scripts={opened.scripts} onDone={onDone} onClose={close} />}
    </>
  )
}
