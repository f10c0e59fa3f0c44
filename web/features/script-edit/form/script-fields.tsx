import { countCharacters } from '@scriptyard/text'
import Coins from 'lucide-react/icons/coins'
import EyeOff from 'lucide-react/icons/eye-off'
import Gamepad2 from 'lucide-react/icons/gamepad-2'
import Gift from 'lucide-react/icons/gift'
import Globe from 'lucide-react/icons/globe'
import Link2 from 'lucide-react/icons/link-2'
import Lock from 'lucide-react/icons/lock'
import Monitor from 'lucide-react/icons/monitor'
import Server from 'lucide-react/icons/server'
import Users from 'lucide-react/icons/users'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { MAX_DESCRIPTION_LENGTH, MAX_SUMMARY_LENGTH, MAX_TAGS, MAX_TITLE_LENGTH } from '#contract/limits.ts'
import { defaultSummary } from '#contract/summary.ts'
import { Link } from '#web/router/router.tsx'
import { MarkdownArea } from '#web/shared/markdown/markdown-area.tsx'
import { useApi } from '#web/lib/api-context.ts'
import { fullCount } from '#web/lib/numbers.ts'
import { objectUrl } from '#web/lib/files.ts'
import { Field } from '#web/ui/field.tsx'
import { ImageDrop } from '#web/ui/image-drop.tsx'
import { type RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TagInput } from '#web/ui/tag-input.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { UseFields } from './kind-fields.tsx'
import { GameFields } from './game-fields.tsx'
import { imageError, type ImageMessages } from '#web/shared/image-error.ts'
import { proposeTags } from './proposals.ts'
import { addTags } from './validation.ts'
import type { FieldErrors, ScriptValues } from './values.ts'

interface FieldsProps {
  values: ScriptValues
  errors: FieldErrors
  change: (change: Partial<ScriptValues>) => void
}

interface TextFieldsProps extends FieldsProps {
  hasVersion?: boolean
  isTitleProposed?: boolean
}

/** Title, summary and description, and the version of a new script. */
export function TextFields({ hasVersion = true, isTitleProposed = false, ...fields }: TextFieldsProps) {
  const { values, errors, change } = fields
  return (
    <>
      <div className={hasVersion ? 'grid gap-5 sm:grid-cols-[minmax(0,1fr)_10rem]' : ''}>
        <Field
          name="title"
          label="Title"
          error={errors['title']}
          isRequired
          mark={isTitleProposed ? 'Proposed' : undefined}
          aside={<Count text={values.title} limit={MAX_TITLE_LENGTH} />}
        >
          {(aria) => <TextInput {...aria} value={values.title} onChange={(title) => change({ title })} />}
        </Field>
        {hasVersion && <VersionField {...fields} />}
      </div>
      <Field
        name="summary"
        label="Summary"
        help="One sentence for cards and search results. Leave it empty to use the first sentence of the description."
        error={errors['summary']}
        aside={<Count text={values.summary} limit={MAX_SUMMARY_LENGTH} />}
      >
        {(aria) => (
          <TextInput
            {...aria}
            placeholder={defaultSummary(values.description)}
            value={values.summary}
            onChange={(summary) => change({ summary })}
          />
        )}
      </Field>
      <Field
        name="description"
        label="Description"
        help="What it does and how to use it. Mention any data it collects. You can use Markdown: **bold**, lists, links and ```luau code."
        error={errors['description']}
        isRequired
        aside={<Count text={values.description} limit={MAX_DESCRIPTION_LENGTH} />}
      >
        {(aria) => (
          <MarkdownArea aria={aria} value={values.description} onChange={(description) => change({ description })} />
        )}
      </Field>
    </>
  )
}

export function VersionField({ values, errors, change }: FieldsProps) {
  return (
    <Field name="version" label="Version" error={errors['version']}>
      {(aria) => <TextInput {...aria} value={values.version} onChange={(version) => change({ version })} />}
    </Field>
  )
}

function Count({ text, limit }: { text: string; limit: number }) {
  const length = countCharacters(text.trim())
  return (
    <span className={length > limit ? 'text-danger' : undefined}>
      {fullCount(length)} / {fullCount(limit)}
    </span>
  )
}

interface ImageFieldProps {
  label: string
  messages: ImageMessages
  image: ScriptValues['image']
  errors: FieldErrors
  onChange: (image: ScriptValues['image']) => void
  onError: (error: string | undefined) => void
}

export function ImageField({ label, messages, image, errors, onChange, onError }: ImageFieldProps) {
  const toast = useToast()
  const selectFile = (file: File) => {
    const error = imageError(file, messages)
    onError(error)
    if (error) toast({ title: error, tone: 'error' })
    else onChange(file)
  }
  return (
    <ImageDrop
      name="image"
      label={label}
      help="PNG, JPEG, WebP, GIF or AVIF under 3 MB. 16:9 works best. If you don't add one, we'll generate a cover."
      error={errors['image']}
      preview={imageUrl(image)}
      onFile={selectFile}
      onRemove={() => {
        onError(undefined)
        onChange('')
      }}
    />
  )
}

/** A URL that shows the image, whether it is a path or a new file. */
export function imageUrl(image: ScriptValues['image']): string {
  return typeof image === 'string' ? image : objectUrl(image)
}

interface TagFieldProps extends FieldsProps {
  popularCount: number
  /** Whether tags are proposed from the title and the code. */
  hasProposals?: boolean
}

/** The script's tags, with suggestions: proposals and popular ones. */
export function TagField({ values, errors, change, popularCount, hasProposals = false }: TagFieldProps) {
  const all = useTagNames()
  const title = useDeferredValue(values.title)
  const code = useDeferredValue(hasProposals ? values.script_content : '')
  const proposed = useMemo(() => proposeTags(all, title, code), [all, title, code])
  const [error, setError] = useState<string>()
  const add = (typed: string) => {
    const added = addTags(values.tags, typed)
    setError(added.error)
    if (added.tags.length > values.tags.length) change({ tags: added.tags })
    return added.rest
  }
  const remove = (tag: string) => {
    setError(undefined)
    change({ tags: values.tags.filter((each) => each !== tag) })
  }
  return (
    <Field
      name="tags"
      label="Tags"
      help="Press Enter after each tag."
      error={error ?? errors['tags']}
      aside={`${values.tags.length} / ${MAX_TAGS}`}
    >
      {(aria) => (
        <TagInput
          {...aria}
          tags={values.tags}
          proposals={proposed}
          suggestions={all.slice(0, popularCount)}
          disabled={values.tags.length >= MAX_TAGS}
          onAdd={add}
          onRemove={remove}
        />
      )}
    </Field>
  )
}

/** The names of the most used tags, at most 200. Empty until they are loaded, and when they cannot be loaded. */
function useTagNames(): string[] {
  const api = useApi()
  const [names, setNames] = useState<string[]>([])
  useEffect(() => {
    const controller = new AbortController()
    api('GET /api/script-tags', { signal: controller.signal })
      .then(({ tags }) => setNames(tags.map(({ name }) => name)))
      .catch(() => undefined)
    return () => controller.abort()
  }, [api])
  return names
}

type YesNo = 'yes' | 'no'

const compatibility: RadioCard<YesNo>[] = [
  { value: 'yes', label: 'Universal', text: 'Works in any game', icon: Globe },
  { value: 'no', label: 'Game-specific', text: 'Made for one game', icon: Gamepad2 },
]
const execution: RadioCard<YesNo>[] = [
  { value: 'yes', label: 'Client-side', text: 'Only the player running it sees it', icon: Monitor },
  { value: 'no', label: 'FE', text: 'All players see it (FilteringEnabled)', icon: Server },
]
const pricing: RadioCard<YesNo>[] = [
  { value: 'yes', label: 'Free', text: 'Free to use', icon: Gift },
  { value: 'no', label: 'Paid', text: 'Sold by the author', icon: Coins },
]
type Visibility = 'public' | 'unlisted' | 'private'
const visibility: RadioCard<Visibility>[] = [
  { value: 'public', label: 'Public', text: 'Anyone can find and use it', icon: Users },
  { value: 'unlisted', label: 'Unlisted', text: 'Anyone with the link can use it', icon: Link2 },
  { value: 'private', label: 'Private', text: 'Only you and admins can see it', icon: Lock },
]

const yesNo = (value: boolean): YesNo => (value ? 'yes' : 'no')
const visibilityOf = ({ is_public, is_unlisted }: ScriptValues): Visibility =>
  is_public ? (is_unlisted ? 'unlisted' : 'public') : 'private'

/** Compatibility, pricing, license and visibility. `hiddenAt` is the path of a script that moderators hide. */
export function PropertyFields({ values, errors, change, hiddenAt }: FieldsProps & { hiddenAt?: string | undefined }) {
  return (
    <>
      <RadioCards
        legend="Compatibility"
        cards={compatibility}
        value={yesNo(values.is_universal)}
        onChange={(value) => change({ is_universal: value === 'yes' })}
      />
      {!values.is_universal && <GameFields values={values} errors={errors} change={change} />}
      <RadioCards
        legend="Execution type"
        cards={execution}
        value={yesNo(values.is_client_side)}
        onChange={(value) => change({ is_client_side: value === 'yes' })}
      />
      <RadioCards
        legend="Pricing"
        cards={pricing}
        value={yesNo(values.is_free)}
        onChange={(value) => change({ is_free: value === 'yes' })}
      />
      <UseFields values={values} errors={errors} change={change} />
      <div className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
        <Switch
          label="Mobile compatible"
          help="Works on phones and tablets."
          isOn={values.is_mobile_compatible}
          onChange={(is_mobile_compatible) => change({ is_mobile_compatible })}
        />
        <Switch
          label="Working"
          help="Turn off if the script is currently broken."
          isOn={values.is_working}
          onChange={(is_working) => change({ is_working })}
        />
      </div>
      {hiddenAt === undefined ? (
        <RadioCards
          legend="Visibility"
          cards={visibility}
          value={visibilityOf(values)}
          onChange={(value) => change({ is_public: value !== 'private', is_unlisted: value === 'unlisted' })}
        />
      ) : (
        <HiddenVisibility path={hiddenAt} />
      )}
    </>
  )
}

/** Replaces the visibility options, which the server would reject. */
function HiddenVisibility({ path }: { path: string }) {
  return (
    <section aria-label="Visibility" className="flex flex-col gap-1.5">
      <p className="font-medium">Visibility</p>
      <div className="flex items-start gap-3 rounded-md border border-warning bg-surface-1 p-3">
        <EyeOff aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />
        <div className="min-w-0">
          <p className="font-medium">Hidden by moderators</p>
          <p className="text-muted">
            Only you and the staff can see this script. You can edit it, but not make it public.{' '}
            <Link to={path} className="text-accent underline">
              See why, and how to appeal
            </Link>
          </p>
        </div>
      </div>
    </section>
  )
}

/** Whether a key is needed, and where to get it. */
export function KeyFields({ values, errors, change }: FieldsProps) {
  return (
    <>
      <Switch
        label="Key system"
        help="Users need a key to run this script."
        isOn={values.has_key_system}
        onChange={(has_key_system) => change({ has_key_system })}
      />
      {values.has_key_system && (
        <Field name="key_system_url" label="Key link" help="Where users get a key." error={errors['key_system_url']}>
          {(aria) => (
            <TextInput
              {...aria}
              type="url"
              dir="ltr"
              placeholder="https://"
              value={values.key_system_url}
              onChange={(key_system_url) => change({ key_system_url })}
            />
          )}
        </Field>
      )}
    </>
  )
}
