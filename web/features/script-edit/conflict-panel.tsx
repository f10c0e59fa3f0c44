import GitMerge from 'lucide-react/icons/git-merge'
import { type ReactNode, useId } from 'react'
import { CAPABILITIES, CAPABILITY_IDS } from '#contract/behavior-names.ts'
import { imageUrl } from '#web/features/script-edit/form/script-fields.tsx'
import type { FieldName, ScriptValues } from '#web/features/script-edit/form/values.ts'
import type { Conflict, Side } from './merge-edits.ts'

type Choose = (name: FieldName, side: Side) => void

/** Explains that the script has changed since the form was opened, and offers both versions of each changed field. */
export function ConflictPanel({ conflict, onChoose }: { conflict: Conflict; onChoose: Choose }) {
  return (
    <section
      aria-label="Conflicting changes"
      className="flex flex-col gap-4 rounded-md border border-warning bg-surface-0 p-4"
    >
      <div role="alert" className="flex items-start gap-3">
        <GitMerge aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />
        <div>
          <p className="font-semibold">This script changed since you opened it</p>
          <p className="text-muted">
            {conflict.fields.length > 0
              ? "Your changes aren't saved yet. Choose a version for each field, then save."
              : "Your changes don't conflict. Save again."}
          </p>
        </div>
      </div>
      {conflict.fields.map((name) => (
        <FieldChoice key={name} name={name} conflict={conflict} onChoose={onChoose} />
      ))}
    </section>
  )
}

function FieldChoice({ name, conflict, onChoose }: { name: FieldName; conflict: Conflict; onChoose: Choose }) {
  const id = useId()
  const sides: [Side, string][] = [
    ['theirs', 'Use saved version'],
    ['mine', 'Use my version'],
  ]
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1.5 font-medium">{labels[name]}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {sides.map(([side, label]) => (
          <div
            key={side}
            className="min-w-0 rounded-md border border-line bg-surface-1 p-3 pt-1 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <label className="flex min-h-11 cursor-pointer items-center gap-2 font-medium sm:min-h-8">
              <input
                type="radio"
                name={id}
                checked={conflict.choices[name] === side}
                onChange={() => onChoose(name, side)}
                className="size-4 accent-accent-strong outline-none"
              />
              {label}
            </label>
            <Value name={name} side={side} values={conflict[side]} />
          </div>
        ))}
      </div>
    </fieldset>
  )
}

/** Long values scroll, so they must be focusable for the keyboard. */
function Value({ name, side, values }: { name: FieldName; side: Side; values: ScriptValues }) {
  const value = values[name]
  const isLong = typeof value === 'string' && (value.length > LONG_TEXT || value.split('\n').length > LONG_LINES)
  return (
    <div
      {...(isLong
        ? {
            tabIndex: 0,
            role: 'group',
            'aria-label': `${labels[name]}, ${side === 'mine' ? 'my version' : 'saved version'}`,
          }
        : {})}
      className="max-h-32 min-w-0 overflow-auto text-sm text-muted wrap-anywhere whitespace-pre-wrap"
    >
      {formatValue(name, values)}
    </div>
  )
}

const LONG_TEXT = 100
const LONG_LINES = 4

const labels: Record<FieldName, string> = {
  title: 'Title',
  version: 'Version',
  summary: 'Summary',
  description: 'Description',
  image: 'Cover',
  screenshots: 'Screenshots',
  tags: 'Tags',
  license: 'License',
  script_type: 'Script type',
  placement: 'Where it goes',
  requirements: 'Requirements',
  is_universal: 'Compatibility',
  game_id: 'Game ID',
  game_name: 'Game name',
  is_client_side: 'Execution type',
  is_free: 'Pricing',
  is_mobile_compatible: 'Mobile compatible',
  is_working: 'Working',
  is_public: 'Visibility',
  is_unlisted: 'Unlisted',
  has_key_system: 'Key system',
  key_system_url: 'Key link',
  script_content: 'Script content',
  declared_capabilities: 'Code check',
  declared_hosts: 'Servers',
}

const optionLabels: Partial<Record<FieldName, readonly [on: string, off: string]>> = {
  is_universal: ['Universal', 'Game-specific'],
  is_client_side: ['Client-side', 'FE'],
  is_free: ['Free', 'Paid'],
  is_public: ['Public', 'Private'],
}

const MAX_SHOWN_CODE = 2000

function formatValue(name: FieldName, values: ScriptValues): ReactNode {
  const value = values[name]
  if (name === 'image') return <Cover image={values.image} />
  if (name === 'screenshots') return <Screenshots screenshots={values.screenshots} />
  if (typeof value === 'boolean') return (optionLabels[name] ?? ['On', 'Off'])[value ? 0 : 1]
  if (name === 'declared_capabilities') return formatDeclared(values.declared_capabilities)
  const text = name === 'tags' ? values.tags.join(', ') : (value as string)
  if (text === '') return 'Empty'
  if (name !== 'script_content') return <bdi>{text}</bdi>
  return (
    <code dir="ltr" className="font-mono text-xs">
      {text.length > MAX_SHOWN_CODE ? `${text.slice(0, MAX_SHOWN_CODE)}…` : text}
    </code>
  )
}

function formatDeclared(ids: string[] | null): string {
  if (ids === null) return 'Not answered'
  return (
    CAPABILITY_IDS.filter((id) => ids.includes(id))
      .map((id) => CAPABILITIES[id])
      .join(', ') || 'Nothing'
  )
}

function Cover({ image }: Pick<ScriptValues, 'image'>) {
  if (!image) return 'No cover'
  return <img src={imageUrl(image)} alt="" className="aspect-video w-full rounded-sm object-cover" />
}

function Screenshots({ screenshots }: Pick<ScriptValues, 'screenshots'>) {
  if (screenshots.length === 0) return 'No screenshots'
  return (
    <ol className="grid grid-cols-3 gap-2">
      {screenshots.map(({ image, alt }) => (
        <li key={imageUrl(image)}>
          <img src={imageUrl(image)} alt={alt} className="aspect-video w-full rounded-sm object-cover" />
        </li>
      ))}
    </ol>
  )
}
