import ArrowUp from 'lucide-react/icons/arrow-up'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash'
import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { MAX_LINK_LABEL_LENGTH, MAX_SITE_LINKS, MAX_URL_LENGTH } from '#contract/limits.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field, FieldNotes } from '#web/ui/field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { type BrandingFields, type LinkInput, newLink } from './branding-form.ts'

export function BrandingLinks({ form, errors, saved, change }: BrandingFields) {
  const { links } = form
  const setLinks = (next: readonly LinkInput[]) => change({ links: next })
  const list = useRef<HTMLUListElement>(null)
  const add = () => {
    flushSync(() => setLinks([...links, newLink()]))
    list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus()
  }
  return (
    <Panel title="Links">
      <div className="flex flex-col gap-5">
        <Field
          name="chat_url"
          label="Chat link"
          help="Where the Discord Community link in the footer leads, such as an invitation."
          error={errors.chat_url}
        >
          {(aria) => (
            <TextInput
              {...aria}
              type="url"
              inputMode="url"
              value={form.chat_url}
              placeholder={saved.defaults.chat_url ?? 'https://discord.gg/...'}
              maxLength={MAX_URL_LENGTH}
              onChange={(chat_url) => change({ chat_url })}
            />
          )}
        </Field>
        <fieldset data-field="links" className="flex min-w-0 flex-col gap-3" aria-describedby="branding-links-help">
          <legend className="pb-1.5 font-medium">Other links</legend>
          {links.length > 0 && (
            <ul ref={list} className="flex flex-col gap-3">
              {links.map((link, index) => (
                <LinkRow
                  key={link.key}
                  link={link}
                  number={index + 1}
                  isInvalid={errors.links !== undefined && (!link.label.trim() || !link.url.trim())}
                  onChange={(part) => setLinks(links.map((one) => (one === link ? { ...one, ...part } : one)))}
                  onMoveUp={index > 0 ? () => setLinks(moveUp(links, index)) : undefined}
                  onRemove={() => setLinks(links.filter((one) => one !== link))}
                />
              ))}
            </ul>
          )}
          <Button size="sm" onClick={add} disabled={links.length >= MAX_SITE_LINKS} className="self-start">
            <Plus aria-hidden className="size-4" />
            Add a link
          </Button>
          <FieldNotes
            errorId="branding-links-error"
            error={errors.links}
            helpId="branding-links-help"
            help={`Up to ${MAX_SITE_LINKS} links in the footer, two of them also in the header.`}
          />
        </fieldset>
      </div>
    </Panel>
  )
}

function moveUp(links: readonly LinkInput[], index: number): LinkInput[] {
  const [moved] = links.slice(index, index + 1)
  const others = links.toSpliced(index, 1)
  return moved ? others.toSpliced(index - 1, 0, moved) : others
}

interface RowProps {
  link: LinkInput
  number: number
  isInvalid: boolean
  onChange: (part: Partial<LinkInput>) => void
  onMoveUp: (() => void) | undefined
  onRemove: () => void
}

function LinkRow({ link, number, isInvalid, onChange, onMoveUp, onRemove }: RowProps) {
  const headerId = useId()
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-2 rounded-sm border border-line p-2 sm:flex-nowrap">
      <div className="w-full sm:w-40">
        <TextInput
          aria-label={`Label of link ${number}`}
          aria-invalid={(isInvalid && !link.label.trim()) || undefined}
          placeholder="Label"
          value={link.label}
          maxLength={MAX_LINK_LABEL_LENGTH}
          onChange={(label) => onChange({ label })}
        />
      </div>
      <div className="w-full min-w-0 sm:flex-1">
        <TextInput
          aria-label={`URL of link ${number}`}
          aria-invalid={(isInvalid && !link.url.trim()) || undefined}
          placeholder="https://... or /popular"
          inputMode="url"
          value={link.url}
          maxLength={MAX_URL_LENGTH}
          onChange={(url) => onChange({ url })}
        />
      </div>
      <label htmlFor={headerId} className="mr-auto inline-flex min-h-11 shrink-0 items-center gap-2 px-1 sm:mr-0">
        <Checkbox
          id={headerId}
          checked={link.in_header}
          onChange={({ target }) => onChange({ in_header: target.checked })}
        />
        In the header
      </label>
      <IconButton icon={ArrowUp} label={`Move link ${number} up`} disabled={!onMoveUp} onClick={onMoveUp} />
      <IconButton icon={Trash2} label={`Remove link ${number}`} onClick={onRemove} />
    </li>
  )
}
