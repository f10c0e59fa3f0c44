// A draft of a new script: in this browser with its images, and in the account without them.
import type { Draft as StoredDraft, DraftValues } from '#contract/drafts.ts'
import {
  changedFields,
  EMPTY_VALUES,
  FIELD_NAMES,
  type FormScreenshot,
  type ScriptValues,
} from '#web/features/script-edit/form/values.ts'
import { isRecord } from '#web/lib/api-error.ts'
import { NO_COPY, type ServerCopy } from './draft-sync.ts'

/** An unpublished script. The idempotency key ensures that it is published once, however often it is sent. */
export interface Draft {
  key: string
  values: ScriptValues
  /** When it was changed last, in milliseconds. */
  savedAt: number
  server: ServerCopy
}

/** Another draft, or an older state of this one, which the form offers. */
export interface OtherDraft {
  key: string
  values: ScriptValues
  changedAt: string
  from: 'device' | 'browser'
  /** Whether it is another script than the one in the form. */
  isOtherScript: boolean
}

/** The values that the server stores: images stay in this browser. */
export function toDraftValues({ image: _image, screenshots: _screenshots, ...values }: ScriptValues): DraftValues {
  return values
}

export const withImagesOf = (values: ScriptValues, { image, screenshots }: ScriptValues): ScriptValues => ({
  ...values,
  image,
  screenshots,
})

/** Whether both have the same fields, whatever their images. */
export const hasSameFields = (a: ScriptValues, b: ScriptValues): boolean =>
  changedFields(a, withImagesOf(b, a)).length === 0

export const toOther = ({ key, content, updated_at }: StoredDraft, isOtherScript: boolean): OtherDraft => ({
  key,
  values: reviveValues(content.values),
  changedAt: updated_at,
  from: 'device',
  isOtherScript,
})

/** Images are stored under names of their own. */
export const withoutImages = ({ values, ...draft }: Draft) => ({
  ...draft,
  values: { ...values, image: '', screenshots: values.screenshots.map(({ alt }) => alt) },
})

export const imagesOf = ({ screenshots }: ScriptValues) => screenshots.map(({ image }) => image)
export const isSameList = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((item, i) => item === b[i])

export const newDraft = (): Draft => ({ key: randomId(), values: EMPTY_VALUES, savedAt: 0, server: NO_COPY })

/** Whether nothing was typed. The declaration is filled in from the code. */
export const isBlank = (values: ScriptValues): boolean =>
  changedFields(EMPTY_VALUES, values).every((name) => name === 'declared_capabilities' || name === 'declared_hosts')

/** Reads a stored draft, which may come from an older release. Undefined if there is nothing to restore. */
export function reviveDraft(stored: unknown, image: unknown, screenshots?: unknown): Draft | undefined {
  if (!isRecord(stored) || typeof stored['key'] !== 'string' || !isRecord(stored['values'])) return undefined
  const { savedAt, server } = stored
  const values: ScriptValues = {
    ...reviveValues(stored['values']),
    ...(image instanceof Blob ? { image } : {}),
    screenshots: reviveScreenshots(stored['values']['screenshots'], screenshots),
  }
  if (isBlank(values)) return undefined
  return { key: stored['key'], values, savedAt: typeof savedAt === 'number' ? savedAt : 0, server: reviveCopy(server) }
}

export const reviveCopy = (stored: unknown): ServerCopy =>
  isRecord(stored) && typeof stored['updatedAt'] === 'string'
    ? { updatedAt: stored['updatedAt'], isSame: stored['isSame'] === true }
    : NO_COPY

/** The fields that exist and have the right type, without images. The others are those of `initial`. */
export function reviveValues(
  stored: Readonly<Record<string, unknown>>,
  initial: ScriptValues = EMPTY_VALUES,
): ScriptValues {
  const entries = FIELD_NAMES.filter((name) => name !== 'image' && name !== 'screenshots').flatMap((name) => {
    const value = stored[name]
    return hasSameType(value, EMPTY_VALUES[name]) ? [[name, value]] : []
  })
  return { ...initial, ...(Object.fromEntries(entries) as Partial<ScriptValues>) }
}

/** Pairs stored images with their descriptions. */
function reviveScreenshots(alts: unknown, images: unknown): FormScreenshot[] {
  if (!Array.isArray(alts) || !Array.isArray(images)) return []
  return images.flatMap((image: unknown, i) => {
    const alt: unknown = alts[i]
    return image instanceof Blob && typeof alt === 'string' ? [{ image, alt }] : []
  })
}

function hasSameType(value: unknown, example: unknown): boolean {
  // Null is the default of one field only, a list: the declared capabilities.
  if (Array.isArray(example) || (example === null && value !== null))
    return Array.isArray(value) && value.every((each) => typeof each === 'string')
  return typeof value === typeof example
}

/** 128 random bits in hexadecimal. `crypto.randomUUID` exists on secure pages only. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
