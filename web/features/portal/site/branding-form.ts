import { useState } from 'react'
import type { Branding } from '#contract/branding.ts'
import { describeAccentProblem, isColor, THEMES } from '#contract/colors.ts'
import { MAX_HEADER_LINKS, MAX_LOGO_BYTES } from '#contract/limits.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { SiteLink } from '#contract/site.ts'
import { useApi } from '#web/lib/api-context.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { useReloadAll } from '#web/router/router.tsx'
import { useToast } from '#web/ui/toast.tsx'

export interface LinkInput extends SiteLink {
  /** Identifies the row while it is edited. */
  key: number
}

/** The form's values. An empty text and a missing color are the default. */
export interface BrandingForm {
  name: string
  tagline: string
  accent_dark: string | null
  accent_light: string | null
  chat_url: string
  links: readonly LinkInput[]
  rules: string
  terms: string
  privacy: string
  /** A chosen file; null for the default; undefined for the saved one. */
  logo: File | null | undefined
}

type FieldName = keyof BrandingForm

const LABELS: Record<FieldName, string> = {
  name: 'Name',
  tagline: 'Text on the home page',
  accent_dark: 'Accent color of the dark theme',
  accent_light: 'Accent color of the light theme',
  chat_url: 'Chat link',
  links: 'Links',
  rules: 'Rules',
  terms: 'Terms of Service',
  privacy: 'Privacy Policy',
  logo: 'Logo',
}
const FIELDS = Object.keys(LABELS) as FieldName[]

export type FieldErrors = Partial<Record<FieldName, string | undefined>>

let lastKey = 0
export const newLink = (): LinkInput => ({ key: ++lastKey, label: '', url: '', in_header: false })

const formOf = ({ name, tagline, chat_url, rules, terms, privacy, links, ...rest }: Branding): BrandingForm => ({
  name: name ?? '',
  tagline: tagline ?? '',
  accent_dark: rest.accent_dark,
  accent_light: rest.accent_light,
  chat_url: chat_url ?? '',
  links: links.map((link) => ({ ...link, key: ++lastKey })),
  rules: rules ?? '',
  terms: terms ?? '',
  privacy: privacy ?? '',
  logo: undefined,
})

function isSame(a: BrandingForm, b: BrandingForm, name: FieldName): boolean {
  if (name === 'links') return linksText(a.links) === linksText(b.links)
  return a[name] === b[name]
}

const plainLinks = (links: readonly LinkInput[]): SiteLink[] =>
  links.map(({ label, url, in_header }) => ({ label, url, in_header }))
const linksText = (links: readonly LinkInput[]) => JSON.stringify(plainLinks(links))

export const changedFields = (form: BrandingForm, base: BrandingForm): FieldName[] =>
  FIELDS.filter((name) => !isSame(form, base, name))

interface Merged {
  form: BrandingForm
  /** Labels of the fields that both changed. */
  both: string[]
}

/** Another admin's changes, with this admin's own changes applied on top. */
export function mergeForms(base: BrandingForm, mine: BrandingForm, theirs: BrandingForm): Merged {
  const own = changedFields(mine, base)
  const form = { ...theirs, ...Object.fromEntries(own.map((name) => [name, mine[name]])) }
  const both = changedFields(theirs, base).filter((name) => own.includes(name) && !isSame(mine, theirs, name))
  return { form, both: both.map((name) => LABELS[name]) }
}

/** The form while it is edited. */
interface Edit {
  /** The saved branding, and the form's values for it. */
  saved: Branding
  base: BrandingForm
  form: BrandingForm
  /** What another admin changed. */
  notice: string | undefined
}

function startEdit(saved: Branding): Edit {
  const form = formOf(saved)
  return { saved, base: form, form, notice: undefined }
}

/** Adopts a newer version and applies the unsaved changes on top. */
function adoptOthers({ base, form, notice }: Edit, saved: Branding): Edit {
  const next = formOf(saved)
  const merged = mergeForms(base, form, next)
  const isDirty = changedFields(form, base).length > 0
  return { saved, base: next, form: merged.form, notice: isDirty ? describeMerge(merged.both) : notice }
}

/** Adopts the response to the values that were sent. Values that were changed since then stay. */
function adoptSaved({ form }: Edit, sent: BrandingForm, saved: Branding): Edit {
  const next = formOf(saved)
  return { saved, base: next, form: mergeForms(sent, form, next).form, notice: undefined }
}

/** Errors that can be found before saving. */
export function findErrors(form: BrandingForm): FieldErrors {
  const errors: FieldErrors = {}
  for (const theme of THEMES) {
    const color = form[`accent_${theme}`]
    if (color === null) continue
    const problem = isColor(color) ? describeAccentProblem(theme, color) : 'Enter a color such as #7c3aed.'
    if (problem) errors[`accent_${theme}`] = problem
  }
  if (form.links.some(({ label, url }) => !label.trim() || !url.trim())) {
    errors.links = 'Each link needs a label and a URL.'
  } else if (form.links.filter(({ in_header }) => in_header).length > MAX_HEADER_LINKS) {
    errors.links = `The header has room for ${MAX_HEADER_LINKS} links. Show the others in the footer only.`
  }
  return errors
}

export function findLogoError(file: File): string | undefined {
  if (!/^image\/(png|jpeg|webp|svg\+xml)$/.test(file.type)) {
    return 'The logo must be a PNG, JPEG, WebP or SVG file. Choose another file.'
  }
  return file.size > MAX_LOGO_BYTES ? 'The logo is larger than 512 KB. Choose a smaller file.' : undefined
}

const readDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(new Error('The file could not be read.')))
    reader.readAsDataURL(file)
  })

async function bodyOf({ logo, links, ...form }: BrandingForm, version: number): Promise<BodyOf<'PUT /api/branding'>> {
  return {
    version,
    ...form,
    links: plainLinks(links),
    ...(logo === undefined ? {} : { logo: logo && (await readDataUrl(logo)) }),
  }
}

const CONFLICT = 409
/** Time after which the other server processes know of the change. */
const OTHER_PROCESS_MS = 1500

/** Values, errors and actions of the form. `loaded` is the newest saved branding. */
export function useBrandingForm(loaded: Branding, onInvalid: (names: readonly string[]) => void) {
  const api = useApi()
  const toast = useToast()
  const reloadAll = useReloadAll()
  const [{ saved, base, form, notice }, setEdit] = useState(() => startEdit(loaded))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isDirty = changedFields(form, base).length > 0

  // A refresh of the portal's data brought the changes of another admin.
  if (loaded.version > saved.version && !isBusy) setEdit((edit) => adoptOthers(edit, loaded))

  const change = (part: Partial<BrandingForm>) => {
    setEdit((edit) => ({ ...edit, form: { ...edit.form, ...part } }))
    setErrors((all) => ({ ...all, ...Object.fromEntries(Object.keys(part).map((name) => [name, undefined])) }))
  }
  const setError = (name: FieldName, message: string) => setErrors((all) => ({ ...all, [name]: message }))
  const discard = () => {
    setEdit((edit) => ({ ...edit, form: edit.base, notice: undefined }))
    setErrors({})
    setFailure(undefined)
  }
  const showErrors = (next: FieldErrors) => {
    setErrors(next)
    onInvalid(Object.keys(next))
  }
  const showFailure = (error: unknown) => {
    setFailure(describeActionError(error))
    showErrors(error instanceof ApiError ? error.fields : {})
  }
  const loadOthers = async () => {
    try {
      const others = await api('GET /api/branding')
      setEdit((edit) => adoptOthers(edit, others))
    } catch (error) {
      showFailure(error)
    }
  }
  const save = async () => {
    if (isBusy) return
    setFailure(undefined)
    setEdit((edit) => ({ ...edit, notice: undefined }))
    const invalid = findErrors(form)
    if (Object.keys(invalid).length > 0) return showErrors(invalid)
    setBusy(true)
    try {
      const result = await api('PUT /api/branding', { body: await bodyOf(form, saved.version) })
      setEdit((edit) => adoptSaved(edit, form, result))
      setErrors({})
      toast({ title: 'Branding saved', text: 'Visitors see it within a few seconds.', tone: 'success' })
      void reloadAll()
      setTimeout(() => void reloadAll(), OTHER_PROCESS_MS)
    } catch (error) {
      if (error instanceof ApiError && error.status === CONFLICT) await loadOthers()
      else showFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { form, errors, notice, failure, isBusy, isDirty, saved, change, setError, discard, save }
}

function describeMerge(both: readonly string[]): string {
  const rest = 'Check the form and save again.'
  if (both.length === 0) return `Another admin saved changes, which are now in this form, too. ${rest}`
  return `Another admin saved changes. You both changed: ${both.join(', ')}. Your text is still in the form. ${rest}`
}

export type BrandingFields = ReturnType<typeof useBrandingForm>
