import WifiOff from 'lucide-react/icons/wifi-off'
import { useEffect, useState } from 'react'
import { PageHead } from '#web/shared/page-head.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { MessagePage } from '#web/ui/message-page.tsx'
import { useWhenOnline } from '#web/ui/use-connection.ts'
import { findStoredPages, type StoredPage } from './stored-pages.ts'

/** What the service worker shows in place of a page that it has not stored. The fragment is the path of that page. */
export function Component() {
  const pages = useStoredPages()
  useWhenOnline(openWanted)
  return (
    <MessagePage
      icon={WifiOff}
      title="You're offline"
      text="This page needs a connection. It opens by itself as soon as you're back."
    >
      <PageHead title="You're offline" description="This page needs a connection." path="/offline" isListed={false} />
      <a href="/offline" className={buttonClass('primary')} onClick={(event) => (event.preventDefault(), openWanted())}>
        Try again
      </a>
      {pages.length > 0 && (
        <section aria-labelledby="stored" className="mt-6 w-full text-left">
          <h2 id="stored" className="text-base font-semibold">
            Pages that you can read now
          </h2>
          <ul className="mt-2 divide-y divide-line rounded-md border border-line">
            {pages.map(({ path, title }) => (
              <li key={path}>
                {/* A full page load, which the service worker answers. */}
                <a href={path} className="block min-h-11 truncate px-4 py-3 hover:bg-surface-2">
                  <bdi>{title}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </MessagePage>
  )
}

function useStoredPages(): readonly StoredPage[] {
  const [pages, setPages] = useState<readonly StoredPage[]>([])
  useEffect(() => {
    // Without caches, there are no stored pages.
    findStoredPages().then(setPages, () => undefined)
  }, [])
  return pages
}

/** Opens the page that the visitor wanted, or the front page. */
function openWanted(): void {
  const wanted = new URL(location.hash.slice(1) || '/', location.origin)
  location.replace(wanted.origin === location.origin ? wanted : '/')
}
