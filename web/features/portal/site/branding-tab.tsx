import CircleCheck from 'lucide-react/icons/circle-check'
import ImagePlus from 'lucide-react/icons/image-plus'
import Info from 'lucide-react/icons/info'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Branding } from '#contract/branding.ts'
import {
  checkAccent,
  DEFAULT_ACCENT,
  describeAccentProblem,
  isColor,
  nearestReadable,
  ratioText,
  type Theme,
} from '#contract/colors.ts'
import { MAX_SITE_NAME_LENGTH, MAX_TAGLINE_LENGTH } from '#contract/limits.ts'
import { SaveBar } from '#web/ui/form-bar.tsx'
import { UnsavedGuard } from '#web/ui/unsaved-guard.tsx'
import { objectUrl } from '#web/lib/files.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { focusFirstError } from '#web/ui/focus-first-error.ts'
import { FormAlert } from '#web/ui/form-alert.tsx'
import { ImageDrop } from '#web/ui/image-drop.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import { type BrandingFields, findLogoError, useBrandingForm } from './branding-form.ts'
import { BrandingLinks } from './branding-links.tsx'
import { BrandingPreview } from './branding-preview.tsx'
import { BrandingTexts } from './branding-texts.tsx'
import { createLoader, useTabData } from '#web/features/portal/portal-data.ts'
import { ResetButton } from './reset-button.tsx'
import { LoadError, TabSkeleton } from '#web/features/portal/tab-parts.tsx'

export const loader = createLoader((api, { signal }) => api('GET /api/branding', { signal }), {
  errorTitle: 'Failed to fetch the branding',
})

export function Component() {
  const { data, error, reload } = useTabData<Branding>()
  if (error) return <LoadError text={error} onRetry={reload} />
  if (!data) return <TabSkeleton />
  return <BrandingEditor loaded={data} />
}

function BrandingEditor({ loaded }: { loaded: Branding }) {
  const element = useRef<HTMLFormElement>(null)
  const [invalid, setInvalid] = useState<readonly string[]>([])
  const fields = useBrandingForm(loaded, setInvalid)
  const { notice, failure, isDirty } = fields
  // An effect, because the errors have to be rendered first.
  useEffect(() => {
    if (element.current && invalid.length > 0) focusFirstError(element.current, invalid)
  }, [invalid])
  return (
    <form
      ref={element}
      noValidate
      aria-label="Branding"
      onSubmit={(event) => {
        event.preventDefault()
        void fields.save()
      }}
      className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <div className="flex min-w-0 flex-col gap-4">
        <p className="text-muted">Name, colors and texts. Changes go live in seconds.</p>
        <IdentityPanel {...fields} />
        <ColorsPanel {...fields} />
        <BrandingLinks {...fields} />
        <BrandingTexts {...fields} />
      </div>
      <Previews {...fields} />
      <div className="xl:col-span-full">
        {notice && <Notice>{notice}</Notice>}
        {failure && <FormAlert>{failure}</FormAlert>}
      </div>
      <SaveBar isDirty={fields.isDirty} isBusy={fields.isBusy} discard={fields.discard} className="xl:col-span-full" />
      <UnsavedGuard isDirty={isDirty} text="Your changes to the branding will be lost." />
    </form>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="flex items-start gap-3 rounded-md border border-line-strong bg-surface-1 p-3">
      <Info aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
      <p className="min-w-0 wrap-anywhere">{children}</p>
    </div>
  )
}

function IdentityPanel({ form, errors, saved, change, setError }: BrandingFields) {
  const { defaults } = saved
  return (
    <Panel title="Name and logo">
      <div className="flex flex-col gap-5">
        <TextField
          name="name"
          label="Name"
          help="In the header, page titles, emails, feeds and link previews."
          value={form.name}
          placeholder={defaults.name}
          maxLength={MAX_SITE_NAME_LENGTH}
          error={errors.name}
          onChange={(name) => change({ name })}
        />
        <TextField
          name="tagline"
          label="Text on the home page"
          help="One sentence below the name."
          value={form.tagline}
          placeholder={defaults.tagline}
          maxLength={MAX_TAGLINE_LENGTH}
          error={errors.tagline}
          onChange={(tagline) => change({ tagline })}
        />
        <ImageDrop
          name="logo"
          label="Logo"
          help="PNG, JPEG, WebP or SVG, up to 512 KB. A square with a transparent background fits best. It is also the icon of the browser tab and of the app on phones."
          error={errors.logo}
          preview={logoUrl(form.logo, saved.logo) ?? ''}
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          frame="size-20 rounded-md"
          isWhole
          fallback={
            <span className="grid size-full place-items-center text-muted">
              <ImagePlus aria-hidden className="size-7" />
            </span>
          }
          onFile={(file) => {
            const problem = findLogoError(file)
            if (problem) setError('logo', problem)
            else change({ logo: file })
          }}
          onRemove={() => change({ logo: saved.logo ? null : undefined })}
        />
      </div>
    </Panel>
  )
}

const logoUrl = (logo: File | null | undefined, saved: string | null): string | undefined =>
  logo ? objectUrl(logo) : logo === null ? undefined : (saved ?? undefined)

interface TextFieldProps {
  name: string
  label: string
  help: string
  value: string
  placeholder: string
  maxLength: number
  error: string | undefined
  onChange: (value: string) => void
}

function TextField({ name, label, help, value, placeholder, maxLength, error, onChange }: TextFieldProps) {
  const aside = value !== '' && <ResetButton what={label.toLowerCase()} onReset={() => onChange('')} />
  return (
    <Field name={name} label={label} help={help} error={error} aside={aside}>
      {(aria) => (
        <TextInput {...aria} value={value} placeholder={placeholder} maxLength={maxLength} onChange={onChange} />
      )}
    </Field>
  )
}

function ColorsPanel(fields: BrandingFields) {
  return (
    <Panel title="Accent color">
      <div className="flex flex-col gap-5">
        <p className="text-sm text-muted">Used for links, buttons and selection. Each theme needs a readable color.</p>
        <div className="grid gap-5 sm:grid-cols-2">
          <AccentField theme="dark" label="Dark theme" {...fields} />
          <AccentField theme="light" label="Light theme" {...fields} />
        </div>
      </div>
    </Panel>
  )
}

function AccentField({ theme, label, form, errors, change }: BrandingFields & { theme: Theme; label: string }) {
  const name = `accent_${theme}` as const
  const value = form[name]
  const shown = value ?? DEFAULT_ACCENT[theme]
  const set = (color: string | null) => change({ [name]: color })
  const aside = value !== null && (
    <ResetButton what={`the color of the ${label.toLowerCase()}`} onReset={() => set(null)} />
  )
  return (
    <Field name={name} label={label} error={errors[name]} aside={aside}>
      {(aria) => (
        <>
          <div className="flex gap-2">
            <input
              type="color"
              aria-label={`${label}, color picker`}
              value={isColor(shown) ? shown : '#000000'}
              onChange={({ target }) => set(target.value)}
              className="h-11 w-14 shrink-0 cursor-pointer rounded-sm border border-line-strong bg-surface-0 p-1 sm:h-10"
            />
            <TextInput
              {...aria}
              value={value ?? ''}
              placeholder={DEFAULT_ACCENT[theme]}
              maxLength={7}
              spellCheck={false}
              onChange={(text) => set(text.trim() === '' ? null : text.trim().toLowerCase())}
            />
          </div>
          {isColor(shown) && !errors[name] && <ContrastNote theme={theme} color={shown} onUse={set} />}
          {isColor(shown) && errors[name] && <NearestColor theme={theme} color={shown} onUse={set} />}
        </>
      )}
    </Field>
  )
}

interface ContrastProps {
  theme: Theme
  color: string
  onUse: (color: string) => void
}

/** The measured contrast while a color is chosen, or what is wrong with it and the nearest color that passes. */
function ContrastNote({ theme, color, onUse }: ContrastProps) {
  const { text, button, isReadable } = checkAccent(theme, color)
  if (isReadable) {
    return (
      <p role="status" className="flex items-center gap-1.5 text-sm text-muted tabular-nums">
        <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />
        Links {ratioText(text)}, buttons {ratioText(button)}
      </p>
    )
  }
  return (
    <>
      <p role="status" className="text-sm text-danger tabular-nums">
        {describeAccentProblem(theme, color)}
      </p>
      <NearestColor theme={theme} color={color} onUse={onUse} />
    </>
  )
}

function NearestColor({ theme, color, onUse }: ContrastProps) {
  const nearest = nearestReadable(theme, color)
  return (
    <Button size="sm" onClick={() => onUse(nearest)} className="self-start">
      <span
        aria-hidden
        style={{ backgroundColor: nearest }}
        className="size-4 rounded-full border border-line-strong"
      />
      Use {nearest} instead
    </Button>
  )
}

function Previews({ form, saved }: BrandingFields) {
  const look = {
    name: form.name.trim() || saved.defaults.name,
    tagline: form.tagline.trim() || saved.defaults.tagline,
    logo: logoUrl(form.logo, saved.logo),
  }
  return (
    <section aria-label="Preview" className="grid min-w-0 gap-4 sm:grid-cols-2 xl:sticky xl:top-18 xl:grid-cols-1">
      <BrandingPreview theme="dark" accent={form.accent_dark} {...look} />
      <BrandingPreview theme="light" accent={form.accent_light} {...look} />
    </section>
  )
}
