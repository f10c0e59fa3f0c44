import { type FormEvent, useEffect, useState } from 'react'
import { MAX_HOLD_HOURS } from '#contract/version-states.ts'
import type { HoldSettings } from '#contract/versions.ts'
import { useApi } from '#web/lib/api-context.ts'
import { useAction } from '#web/shared/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextInput } from '#web/ui/text-input.tsx'

const hoursText = (hours: number) => `${hours} ${hours === 1 ? 'hour' : 'hours'}`

/** The number of hours; undefined if it is not a whole number in range. */
export function readHours(text: string): number | undefined {
  const hours = Number(text.trim())
  return /^\d{1,3}$/.test(text.trim()) && hours <= MAX_HOLD_HOURS ? hours : undefined
}

/** How long versions wait after they were published, although their authors confirmed them. */
export function HoldHoursPanel() {
  const api = useApi()
  const [settings, setSettings] = useState<HoldSettings>()
  useEffect(() => {
    const controller = new AbortController()
    api('GET /api/hold-settings', { signal: controller.signal }).then(setSettings, () => undefined)
    return () => controller.abort()
  }, [api])
  return (
    <Panel title="Waiting time">
      {settings ? (
        <HoursForm key={settings.hold_hours} settings={settings} onChange={setSettings} />
      ) : (
        <Skeleton className="h-24" />
      )}
    </Panel>
  )
}

interface FormProps {
  settings: HoldSettings
  onChange: (settings: HoldSettings) => void
}

function HoursForm({ settings, onChange }: FormProps) {
  const api = useApi()
  const run = useAction()
  const [text, setText] = useState(String(settings.hold_hours))
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const save = async (hold_hours: number | null) => {
    if (isBusy) return
    setBusy(true)
    try {
      onChange(
        await run(() => api('PUT /api/hold-settings', { body: { hold_hours } }), {
          success: (saved) => `Versions wait ${hoursText(saved.hold_hours)} now`,
          failure: "Couldn't change the waiting time",
        }),
      )
    } catch {
      // The message was shown.
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const hours = readHours(text)
    setError(hours === undefined ? `Enter a whole number from 0 to ${MAX_HOLD_HOURS}.` : undefined)
    if (hours !== undefined) void save(hours)
  }
  return (
    <form noValidate onSubmit={submit} aria-label="Waiting time" className="flex flex-col gap-3">
      <Field
        name="hold_hours"
        label="Hours"
        help={`From the publication of a version that its author has confirmed, 0 to ${MAX_HOLD_HOURS}. The default is ${settings.default_hold_hours}. Applies at once, to confirmations from now on.`}
        error={error}
      >
        {(aria) => <TextInput {...aria} value={text} inputMode="numeric" onChange={setText} />}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" aria-disabled={isBusy} className="min-w-24">
          {isBusy ? 'Saving...' : 'Save'}
        </Button>
        {!settings.is_default && (
          <Button aria-disabled={isBusy} onClick={() => void save(null)}>
            Use the default
          </Button>
        )}
      </div>
    </form>
  )
}
