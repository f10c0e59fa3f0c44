import { type ReactNode, useEffect, useRef, useState } from 'react'
import { MAX_SITE_TEXT_LENGTH } from '#contract/limits.ts'
import { MarkdownArea } from '#web/shared/markdown/markdown-area.tsx'
import { PrivacyText } from '#web/shared/privacy-text.tsx'
import { RulesText } from '#web/shared/rules-text.tsx'
import { TermsText } from '#web/shared/terms-text.tsx'
import { fullCount } from '#web/lib/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Panel } from '#web/ui/panel.tsx'
import type { BrandingFields } from './branding-form.ts'
import { ResetButton } from './reset-button.tsx'

export function BrandingTexts(fields: BrandingFields) {
  return (
    <Panel title="Rules and legal pages">
      <div className="flex flex-col divide-y divide-line">
        <TextSection
          name="rules"
          label="Rules"
          status="The default rules are shown: one for each reason of the report form."
          defaultText={<RulesText />}
          {...fields}
        />
        <TextSection
          name="terms"
          label="Terms of Service"
          status="The default text is shown."
          defaultText={<TermsText heading="h2" />}
          {...fields}
        />
        <TextSection
          name="privacy"
          label="Privacy Policy"
          status="The default text is shown. It describes what the software stores."
          defaultText={<PrivacyText heading="h2" />}
          {...fields}
        />
      </div>
    </Panel>
  )
}

interface SectionProps extends BrandingFields {
  name: 'rules' | 'terms' | 'privacy'
  label: string
  /** The default text, shown while the site has no text of its own. */
  status: string
  defaultText: ReactNode
}

function TextSection({ name, label, status, defaultText, form, errors, change }: SectionProps) {
  const [isEditing, setEditing] = useState(false)
  const [isReadingDefault, setReadingDefault] = useState(false)
  const value = form[name]
  const open = (text: string) => {
    setEditing(true)
    setReadingDefault(false)
    change({ [name]: text })
  }
  const isOwn = value !== ''
  if (!isEditing) {
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4 first:pt-0 last:pb-0">
        <div className="min-w-0 flex-1 basis-60">
          <h4 className="font-medium">{label}</h4>
          <p className="text-sm text-muted">
            {isOwn ? `Your own text, ${fullCount(value.length)} characters.` : status}
          </p>
        </div>
        <Button
          size="sm"
          aria-label={isOwn ? `Edit: ${label}` : `Write your own: ${label}`}
          onClick={() => (isOwn ? setEditing(true) : setReadingDefault(true))}
        >
          {isOwn ? 'Edit' : 'Write your own'}
        </Button>
        {isReadingDefault && <MarkdownOf onRead={open}>{defaultText}</MarkdownOf>}
      </div>
    )
  }
  const reset = () => {
    change({ [name]: '' })
    setEditing(false)
  }
  return (
    <div className="py-4 first:pt-0 last:pb-0">
      <Field
        name={name}
        label={label}
        help="Markdown. An empty text restores the default."
        error={errors[name]}
        aside={isOwn && <ResetButton what={label} onReset={reset} />}
      >
        {(aria) => (
          <MarkdownArea
            aria={aria}
            value={value}
            maxLength={MAX_SITE_TEXT_LENGTH}
            onChange={(text) => change({ [name]: text })}
          />
        )}
      </Field>
    </div>
  )
}

/** Renders a text hidden and passes it to `onRead` as Markdown. */
function MarkdownOf({ children, onRead }: { children: ReactNode; onRead: (text: string) => void }) {
  const element = useRef<HTMLDivElement>(null)
  const read = useRef(onRead)
  useEffect(() => {
    const prose = element.current?.firstElementChild
    if (prose) read.current(toMarkdown(prose))
  }, [])
  return (
    <div ref={element} hidden>
      {children}
    </div>
  )
}

/** Headings, paragraphs and lists as Markdown. */
function toMarkdown(prose: Element): string {
  const blocks = [...prose.children].map((block) => {
    if (block.tagName === 'UL') return [...block.children].map((item) => `- ${lineOf(item)}`).join('\n')
    return block.tagName === 'P' ? lineOf(block) : `# ${lineOf(block)}`
  })
  return blocks.join('\n\n')
}

const lineOf = ({ textContent }: Element): string =>
  (textContent ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`)
