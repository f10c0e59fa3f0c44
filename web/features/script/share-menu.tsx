import Share2 from 'lucide-react/icons/share-2'
import { Suspense, useState } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Menu, MenuAction } from '#web/ui/menu.tsx'
import { useToast } from '#web/ui/toast.tsx'
import type { PageScript } from './script-details.ts'
import { bbcodeLink, markdownLink } from './share-links.ts'

const EmbedDialog = lazyComponent(async () => (await import('./embed-dialog.tsx')).EmbedDialog)

/** Copies a link to the script in several formats, shows the code to embed it, or opens the system's share sheet where there is one. */
export function ShareMenu({ script }: { script: PageScript }) {
  const { title, slug } = script
  const [isEmbedding, setEmbedding] = useState(false)
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
      <Menu
        label="Share"
        isButtonNamed
        buttonClass={buttonClass('secondary', 'md', 'max-sm:px-3')}
        button={
          <>
            <Share2 aria-hidden className="size-4" />
            <span className="max-sm:sr-only">Share</span>
          </>
        }
      >
        <MenuAction onSelect={() => void copy(url)}>Copy link</MenuAction>
        <MenuAction onSelect={() => void copy(markdownLink(title, url))}>Copy Markdown link</MenuAction>
        <MenuAction onSelect={() => void copy(bbcodeLink(title, url))}>Copy BBCode link</MenuAction>
        <MenuAction onSelect={() => setEmbedding(true)}>Embed or add a badge…</MenuAction>
        {'share' in navigator && <MenuAction onSelect={share}>Share with…</MenuAction>}
      </Menu>
      {isEmbedding && (
        <Suspense>
          <EmbedDialog script={script} onClose={() => setEmbedding(false)} />
        </Suspense>
      )}
    </>
  )
}
