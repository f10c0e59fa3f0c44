import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useRevalidator } from '#web/router/router.tsx'
import { useRootData } from '#web/lib/root-data.ts'
import { useSession } from '#web/lib/session.tsx'
import { MessagePage } from '#web/ui/message-page.tsx'
import { PageHead } from './page-head.tsx'

interface Props {
  icon: LucideIcon
  title: string
  text: string
  /** Path of the canonical URL. */
  path: string
  /** Shown to members while it is not known whether the page exists for them. */
  skeleton: ReactNode
  children: ReactNode
}

/**
 * A page that does not exist for visitors. The server renders pages for them, so it is loaded again once the session of a
 * member is known; until then, members see a skeleton and visitors the message without its title, which would be in the
 * page of both.
 */
export function MissingForVisitors({ skeleton, path, children, ...message }: Props) {
  const { site } = useRootData()
  const { revalidate } = useRevalidator()
  const { status } = useSession()
  const [isChecked, setChecked] = useState(status === 'member')
  const mustCheck = status === 'member' && !isChecked
  useEffect(() => {
    // The page is shown before this if it exists.
    if (mustCheck) void revalidate().finally(() => setChecked(true))
  }, [mustCheck, revalidate])
  const isUnknown = mustCheck || status === 'loading'
  return (
    <>
      <PageHead title={isUnknown ? site.name : message.title} description={message.text} path={path} isListed={false} />
      {!mustCheck && (
        <div className={isUnknown ? 'member:hidden' : undefined}>
          <MessagePage {...message} isTitlePending={isUnknown}>
            {children}
          </MessagePage>
        </div>
      )}
      {isUnknown && <div className={mustCheck ? undefined : 'hidden member:block'}>{skeleton}</div>}
    </>
  )
}
