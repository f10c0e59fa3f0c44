import Bell from 'lucide-react/icons/bell'
import BellOff from 'lucide-react/icons/bell-off'
import Code from 'lucide-react/icons/code'
import Ellipsis from 'lucide-react/icons/ellipsis'
import FolderPlus from 'lucide-react/icons/folder-plus'
import LinkIcon from 'lucide-react/icons/link'
import Share2 from 'lucide-react/icons/share-2'
import { Suspense, useState } from 'react'
import { useRevalidator } from '#web/router/router.tsx'
import { useReport } from '#web/shared/report/report-menu.tsx'
import { useMemberAction } from '#web/shared/sign-in/use-member-action.ts'
import { useToggle } from '#web/shared/sign-in/use-toggle.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { useUser } from '#web/lib/session.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Menu, MenuAction, MenuSeparator } from '#web/ui/menu.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { PageScript } from './script-details.ts'
import { bbcodeLink, markdownLink } from './share-links.ts'

const CollectDialog = lazyComponent(async () => (await import('./collect-dialog.tsx')).CollectDialog)
const EmbedDialog = lazyComponent(async () => (await import('./embed-dialog.tsx')).EmbedDialog)

/** What is done with a script less often than copying, downloading and adding it to the favorites. */
export function MoreMenu({ script }: { script: PageScript }) {
  const { id, title, author_id, is_public } = script
  const user = useUser()
  const isOwn = user?.id === author_id
  const { revalidate } = useRevalidator()
  const [opened, setOpened] = useState<'collect' | 'embed'>()
  const close = () => setOpened(undefined)
  const collect = useMemberAction(`collect ${id}`, () => setOpened('collect'))
  const report = useReport({ subject: { type: 'script', id, title }, onHidden: () => void revalidate() })
  return (
    <>
      <Menu
        label="More"
        isButtonNamed
        buttonClass={buttonClass('secondary', 'md', 'max-sm:px-3')}
        button={
          <>
            <Ellipsis aria-hidden className="size-4" />
            More
          </>
        }
      >
        {!isOwn && is_public && <WatchAction id={id} />}
        <MenuAction icon={FolderPlus} onSelect={collect}>
          Add to a collection…
        </MenuAction>
        {is_public && (
          <>
            <MenuSeparator />
            <ShareActions script={script} />
            <MenuAction icon={Code} onSelect={() => setOpened('embed')}>
              Embed or add a badge…
            </MenuAction>
          </>
        )}
        {user && !isOwn && is_public && (
          <>
            <MenuSeparator />
            {report.actions}
          </>
        )}
      </Menu>
      <Suspense>
        {opened === 'collect' && <CollectDialog script={script} onClose={close} />}
        {opened === 'embed' && <EmbedDialog script={script} onClose={close} />}
      </Suspense>
      {report.dialogs}
    </>
  )
}

function WatchAction({ id }: { id: number }) {
  const toast = useToast()
  const { isOn, press } = useToggle({
    name: `watch ${id}`,
    count: 0,
    load: async (api, signal) => ({
      isOn: (await api('GET /api/watches', { query: { script_id: id }, signal })).is_watching,
      count: 0,
    }),
    set: async (api, isWatching) => {
      const { is_watching } = await (isWatching
        ? api('POST /api/watches', { body: { script_id: id } })
        : api('DELETE /api/watches', { query: { script_id: id } }))
      return { isOn: is_watching, count: 0 }
    },
    failure: "Couldn't change what you watch",
    onChanged: ({ isOn: isWatching }) =>
      toast({
        title: isWatching ? 'You watch this script. New versions notify you.' : 'You no longer watch this script',
        tone: 'success',
      }),
  })
  return (
    <MenuAction icon={isOn ? BellOff : Bell} onSelect={press}>
      {isOn ? 'Stop watching' : 'Watch'}
    </MenuAction>
  )
}

/** Copies a link to the script in several formats, or opens the system's share sheet where there is one. */
function ShareActions({ script: { title, slug } }: { script: PageScript }) {
  const toast = useToast()
  const url = `${useRootData().site.public_url}/scripts/${encodeURIComponent(slug)}`
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      toast({ title: 'Link copied', tone: 'success' })
    } catch {
      toast({ title: "Couldn't copy the link", text: 'Copy it from the address bar.', tone: 'error' })
    }
  }
  // The share sheet rejects when it is closed without sharing.
  const share = () => void navigator.share({ title, url }).catch(() => undefined)
  return (
    <>
      <MenuAction icon={LinkIcon} onSelect={() => void copy(url)}>
        Copy link
      </MenuAction>
      <MenuAction icon={LinkIcon} onSelect={() => void copy(markdownLink(title, url))}>
        Copy Markdown link
      </MenuAction>
      <MenuAction icon={LinkIcon} onSelect={() => void copy(bbcodeLink(title, url))}>
        Copy BBCode link
      </MenuAction>
      {'share' in navigator && (
        <MenuAction icon={Share2} onSelect={share}>
          Share with…
        </MenuAction>
      )}
    </>
  )
}
