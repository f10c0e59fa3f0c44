import { useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'

// Makes the scroll area focusable, so that the keyboard can scroll it.
const FOCUSABLE = 0

/** The whole code of a reported script, loaded when it is asked for. Text-direction characters have no effect. */
export function CaseCode({ scriptId, title }: { scriptId: number; title: string }) {
  const api = useApi()
  const [isOpen, setOpen] = useState(false)
  const [loaded, setLoaded] = useState<{ code?: string; error?: string }>({})
  const load = async () => {
    try {
      const { script } = await api('GET /api/script-details-slug', { query: { slug: `x-${scriptId}` } })
      setLoaded({ code: script.script_content })
    } catch (error) {
      setLoaded({ error: describeActionError(error) })
    }
  }
  const toggle = () => {
    setOpen(!isOpen)
    if (!isOpen && loaded.code === undefined) void load()
  }
  return (
    <div className="flex flex-col gap-2">
      <Button
        size="sm"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'} the code of ${title}`}
        onClick={toggle}
        className="self-start"
      >
        {isOpen ? 'Hide code' : 'Show code'}
      </Button>
      {isOpen && loaded.error && <p className="text-danger">{loaded.error}</p>}
      {isOpen && !loaded.error && loaded.code === undefined && <p className="text-muted">Loading...</p>}
      {isOpen && loaded.code !== undefined && (
        <figure className="overflow-hidden rounded-md border border-line bg-surface-1">
          <figcaption className="border-b border-line px-4 py-2 text-sm text-muted">
            {countLines(loaded.code)}
          </figcaption>
          <section
            tabIndex={FOCUSABLE}
            aria-label={`Code of ${title}`}
            className="max-h-96 overflow-auto focus-visible:-outline-offset-2"
          >
            <pre
              dir="ltr"
              className="w-max min-w-full px-4 py-3 font-mono text-sm/6 [tab-size:4] [unicode-bidi:bidi-override]"
            >
              <code>{loaded.code}</code>
            </pre>
          </section>
        </figure>
      )}
    </div>
  )
}

function countLines(code: string): string {
  // A trailing line break does not start another line.
  const lines = code.replace(/\r?\n$/, '').split('\n').length
  return `${fullCount(lines)} ${lines === 1 ? 'line' : 'lines'}`
}
