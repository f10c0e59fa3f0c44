import { Suspense, useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { Button } from '#web/ui/button.tsx'

const CodeViewer = lazyComponent(async () => (await import('#web/components/code-viewer/code-viewer.tsx')).CodeViewer)

/** The whole code of a reported script, loaded when it is asked for. */
export function CaseCode({ scriptId, title }: { scriptId: number; title: string }) {
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const load = async () => {
    const { script } = await api('GET /api/script-details-slug', { query: { slug: `x-${scriptId}` } })
    return script.script_content
  }
  return (
    <div className="flex flex-col gap-2">
      <Button
        size="sm"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'} code of ${title}`}
        onClick={() => setOpen(!isOpen)}
        className="self-start"
      >
        {isOpen ? 'Hide code' : 'Show code'}
      </Button>
      {isOpen && (
        <Suspense fallback={<p className="text-muted">Loading...</p>}>
          <CodeViewer load={load} fileName={title} />
        </Suspense>
      )}
    </div>
  )
}
