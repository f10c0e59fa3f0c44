import { useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import { describeError } from '#web/lib/describe-error.ts'
import { useRootData } from '#web/lib/root-data.ts'
import { Button } from '#web/ui/button.tsx'
import { type ApiOperation, exampleOf, type Values } from './api-examples.ts'

interface ExampleProps {
  method: string
  path: string
  operation: ApiOperation
  values: Values
}

/** A call with curl. What visitors may read can be run on the page. */
export function Example({ method, path, operation, values }: ExampleProps) {
  const { site } = useRootData()
  const api = useApi()
  const [result, setResult] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const body = operation.requestBody?.content['application/json'].schema
  const isPublic = operation['x-access'] === 'Anyone'
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${site.public_url}${path}'`,
    ...(isPublic ? [] : [`-H "Authorization: Bearer $TOKEN"`]),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(exampleOf(body, values))}'`] : []),
  ]
  const run = async () => {
    setBusy(true)
    try {
      setResult(JSON.stringify(await api.request('GET', path.slice('/api'.length)), null, 2) ?? '')
    } catch (error) {
      setResult(describeError(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <details className="mt-1">
      <summary className="min-h-11 content-center font-medium sm:min-h-8">Example</summary>
      <CodeBox label={`Example of ${method} ${path}`} text={lines.join(' \\\n  ')} />
      {method === 'GET' && isPublic && path.startsWith('/api/') && (
        <div className="mt-2 noscript:hidden">
          <Button onClick={() => void run()} disabled={isBusy}>
            Run
          </Button>
          <div aria-live="polite">{result !== undefined && <CodeBox label="Response" text={shorten(result)} />}</div>
        </div>
      )}
    </details>
  )
}

/** Characters of a response that are shown. */
const MAX_SHOWN = 10_000
const shorten = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text)

export function CodeBox({ label, text }: { label: string; text: string }) {
  return (
    <section
      tabIndex={0}
      aria-label={label}
      className="mt-2 max-h-80 overflow-auto rounded-sm border border-line bg-surface-0 p-3"
    >
      <pre className="text-sm">{text}</pre>
    </section>
  )
}
