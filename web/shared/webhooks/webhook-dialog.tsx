import { useId, useState } from 'react'
import {
  DISCORD_WEBHOOK_URL,
  MAX_URL_LENGTH,
  MAX_WEBHOOK_SCRIPTS,
  WEBHOOK_EVENTS,
  type WebhookEvent,
  type WEBHOOK_FORMATS,
} from '#contract/limits.ts'
import type { Webhook } from '#contract/webhooks.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { ApiError } from '#web/lib/api-error.ts'
import { useToast } from '#web/ui/toast.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { Field, FieldNotes } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useWebhookCalls } from './calls.ts'
import { type ChosenScript, OwnScriptsField } from '#web/shared/own-scripts-field.tsx'
import { EVENTS } from './webhook-texts.ts'

type Format = (typeof WEBHOOK_FORMATS)[number]

const FORMATS: Record<Format, string> = { json: 'Signed JSON', discord: 'Discord message' }

interface Draft {
  url: string
  events: readonly WebhookEvent[]
  format: Format
  /** Null for all. */
  scripts: readonly ChosenScript[] | null
}

const draftOf = (webhook: Webhook | undefined): Draft => ({
  url: webhook?.url ?? '',
  events: webhook?.events ?? ['version.published', 'review.posted', 'comment.posted'],
  format: webhook?.format ?? 'json',
  scripts: webhook?.scripts ?? null,
})

/** Throws ApiError `invalid` with the errors of incomplete fields. */
function toBody({ url, events, format, scripts }: Draft, isSite: boolean) {
  const fields = {
    ...(url.trim() === '' && { url: 'Enter the URL that receives the events.' }),
    ...(events.length === 0 && { events: 'Choose at least one event.' }),
    ...(scripts?.length === 0 && { script_ids: 'Choose at least one script, or all.' }),
  }
  if (Object.keys(fields).length > 0) throw new ApiError(0, 'invalid', { fields })
  return {
    url: url.trim(),
    events: [...events],
    format,
    ...(!isSite && { script_ids: scripts && scripts.map(({ id }) => id) }),
  }
}

interface Props {
  isSite: boolean
  webhook: Webhook | undefined
  onSaved: (result: { webhook: Webhook; secret: string } | { webhook: Webhook }) => void
  onClose: () => void
}

/** Creates a webhook, or changes `webhook`. */
export function WebhookDialog({ isSite, webhook, onSaved, onClose }: Props) {
  const calls = useWebhookCalls(isSite)
  const toast = useToast()
  const [draft, setDraft] = useState(() => draftOf(webhook))
  const change = (part: Partial<Draft>) => setDraft((previous) => ({ ...previous, ...part }))

  const save = async () => {
    const body = toBody(draft, isSite)
    onSaved(webhook ? await calls.change({ ...body, id: webhook.id }) : await calls.create(body))
    toast({ title: webhook ? 'Webhook saved' : 'Webhook created', tone: 'success' })
  }
  return (
    <FormDialog
      title={webhook ? 'Edit webhook' : 'New webhook'}
      size="md"
      submitLabel={webhook ? 'Save changes' : 'Create webhook'}
      busyLabel={webhook ? 'Saving...' : 'Creating...'}
      hasAlert
      onSubmit={save}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field
            name="url"
            label="URL"
            isRequired
            error={errors['url']}
            help="An https address of your server, or the URL of a webhook in a Discord channel’s settings."
          >
            {(aria) => (
              <TextInput
                {...aria}
                type="url"
                value={draft.url}
                maxLength={MAX_URL_LENGTH}
                onChange={(url) => change({ url, ...(DISCORD_WEBHOOK_URL.test(url.trim()) && { format: 'discord' }) })}
              />
            )}
          </Field>
          <ChoiceField
            name="format"
            label="Format"
            value={draft.format}
            options={FORMATS}
            help={
              draft.format === 'json'
                ? 'For your own server (Standard Webhooks). You get a secret to verify that requests come from this site.'
                : 'A message with a title, a text and a link. It never mentions anyone.'
            }
            onChange={(format) => change({ format })}
          />
          <EventFields
            isSite={isSite}
            chosen={draft.events}
            error={errors['events']}
            onChange={(events) => change({ events })}
          />
          {!isSite && (
            <OwnScriptsField
              chosen={draft.scripts}
              limit={MAX_WEBHOOK_SCRIPTS}
              noun="webhook"
              error={errors['script_ids']}
              onChange={(scripts) => change({ scripts })}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

function EventFields({
  isSite,
  chosen,
  error,
  onChange,
}: {
  isSite: boolean
  chosen: readonly WebhookEvent[]
  error: string | undefined
  onChange: (events: WebhookEvent[]) => void
}) {
  const id = useId()
  const offered = WEBHOOK_EVENTS.filter((event) => isSite || event !== 'giveaway.ended')
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" aria-describedby={error && `${id}-error`}>
      <legend className="pb-1.5 font-medium">Events</legend>
      {offered.map((event) => (
        <label key={event} className="flex min-h-11 cursor-pointer items-center gap-3 sm:min-h-9">
          <Checkbox
            checked={chosen.includes(event)}
            aria-invalid={error ? true : undefined}
            onChange={() => onChange(offered.filter((each) => chosen.includes(each) !== (each === event)))}
          />
          <span className="min-w-0">
            {EVENTS[event].label} <span className="text-sm text-muted">{EVENTS[event].text}</span>
          </span>
        </label>
      ))}
      <FieldNotes errorId={`${id}-error`} error={error} helpId={`${id}-help`} help={undefined} />
    </fieldset>
  )
}
