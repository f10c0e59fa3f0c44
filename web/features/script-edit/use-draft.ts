import { useEffect, useRef, useState } from 'react'
import {
  changedFields,
  changeValues,
  EMPTY_VALUES,
  FIELD_NAMES,
  type FormScreenshot,
  hasSameImages,
  type ScriptValues,
} from '#web/features/script-edit/form/values.ts'
import { isRecord } from '#web/lib/api-error.ts'
import { acquireDraftSlot, copyDraft, type DraftSlot, readDraft, removeDraft, writeDraft } from '#web/lib/drafts.ts'

/** An unpublished script. The idempotency key ensures that it is published once, however often it is sent. */
interface Draft {
  key: string
  values: ScriptValues
}

export interface DraftState {
  isReady: boolean
  values: ScriptValues
  /** The form started with a stored draft. */
  isRestored: boolean
  /** Undefined until the first save; false if the browser cannot store drafts. */
  isSaved: boolean | undefined
  change: (change: Partial<ScriptValues>) => void
  /** The newest draft, also within the event that changed it. */
  current: () => Draft
  flush: () => Promise<void>
  discard: () => Promise<void>
  /** Makes the draft a different script from the one an earlier attempt published. */
  renewKey: () => void
}

/** The script that a member is writing, stored in this browser until it is published or discarded. */
export function useDraft(memberId: number): DraftState {
  const autosave = useRef<DraftAutosave>(undefined)
  const [isReady, setReady] = useState(false)
  const [isRestored, setRestored] = useState(false)
  const [isSaved, setSaved] = useState<boolean>()
  const [values, setValues] = useState(EMPTY_VALUES)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const start = async () => {
      const opened = await DraftAutosave.open(memberId, (saved) => !signal.aborted && setSaved(saved))
      if (signal.aborted) return opened.autosave.close()
      autosave.current = opened.autosave
      setValues(opened.autosave.draft.values)
      setRestored(opened.isRestored)
      setReady(true)
      const flush = () => void opened.autosave.flush()
      addEventListener('pagehide', () => opened.autosave.leave(), { signal })
      document.addEventListener('visibilitychange', flush, { signal })
    }
    void start()
    return () => {
      controller.abort()
      autosave.current?.close()
      autosave.current = undefined
      setReady(false)
    }
  }, [memberId])

  const current = () => autosave.current?.draft ?? { key: '', values: EMPTY_VALUES }
  return {
    isReady,
    values,
    isRestored,
    isSaved,
    current,
    change: (change) => {
      const changed = changeValues(current().values, change)
      autosave.current?.change(changed)
      setValues(changed)
    },
    renewKey: () => autosave.current?.renewKey(),
    flush: async () => autosave.current?.flush(),
    discard: async () => {
      await autosave.current?.discard()
      setValues(EMPTY_VALUES)
      setRestored(false)
      setSaved(undefined)
    },
  }
}

/** Delay of autosave. Short, so that a reload right after typing finds the draft. Leaving the page saves immediately. */
const SAVE_DELAY_MS = 250

/** Saves a draft in this browser after each change, images immediately, and when the page is hidden. */
class DraftAutosave {
  draft: Draft
  readonly #slot: DraftSlot
  readonly #onSaved: (isSaved: boolean) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #savedImage: unknown
  #savedScreenshots: readonly FormScreenshot['image'][]
  #isDirty = false
  #savedDraft: Draft

  private constructor(slot: DraftSlot, draft: Draft, onSaved: (isSaved: boolean) => void) {
    this.#slot = slot
    this.draft = draft
    this.#savedImage = draft.values.image
    this.#savedScreenshots = imagesOf(draft.values)
    this.#savedDraft = draft
    this.#onSaved = onSaved
  }

  /** Opens the stored draft or a new one. If the browser blocks storage, the form works without autosave. */
  static async open(memberId: number, onSaved: (isSaved: boolean) => void) {
    const slot = await acquireDraftSlot(`upload:${memberId}`)
    const records = [slot.name, imageName(slot), screenshotsName(slot)].map(readDraft)
    const [stored, image, screenshots] = await Promise.all(records).catch(() => [])
    const restored = reviveDraft(stored, image, screenshots)
    return { autosave: new DraftAutosave(slot, restored ?? newDraft(), onSaved), isRestored: restored !== undefined }
  }

  change(values: ScriptValues): void {
    const hasNewImages = !hasSameImages(values, this.draft.values)
    this.draft = { ...this.draft, values }
    this.#isDirty = true
    clearTimeout(this.#timer)
    // Images are too large for the copy that a page makes when it is left.
    if (hasNewImages) void this.flush()
    else this.#timer = setTimeout(() => void this.flush(), SAVE_DELAY_MS)
  }

  renewKey(): void {
    this.draft = { ...this.draft, key: newDraft().key }
    this.change(this.draft.values)
  }

  /** Saves the draft of a page that is being left. */
  leave(): void {
    const isSaved = this.draft === this.#savedDraft || isBlank(this.draft.values)
    if (!isSaved) copyDraft(this.#slot.name, withoutImages(this.draft))
    void this.flush()
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#isDirty) return
    this.#isDirty = false
    const { draft } = this
    const { values } = draft
    const { image } = values
    const images = imagesOf(values)
    try {
      if (isBlank(values)) return await this.#remove()
      const writes = [writeDraft(this.#slot.name, withoutImages(draft))]
      // An image may be megabytes: written only when it has changed.
      if (image !== this.#savedImage) writes.push(writeDraft(imageName(this.#slot), image))
      if (!isSameList(images, this.#savedScreenshots)) writes.push(writeDraft(screenshotsName(this.#slot), images))
      this.#savedImage = image
      this.#savedScreenshots = images
      await Promise.all(writes)
      this.#savedDraft = draft
      this.#onSaved(true)
    } catch {
      this.#onSaved(false)
    }
  }

  /** Removes the draft and starts a new one with a new key. */
  async discard(): Promise<void> {
    clearTimeout(this.#timer)
    this.#isDirty = false
    this.draft = newDraft()
    await this.#remove().catch(() => undefined)
  }

  close(): void {
    void this.flush().finally(() => this.#slot.release())
  }

  async #remove(): Promise<void> {
    this.#savedImage = ''
    this.#savedScreenshots = []
    await Promise.all([this.#slot.name, imageName(this.#slot), screenshotsName(this.#slot)].map(removeDraft))
  }
}

/** Images are stored under names of their own. */
const withoutImages = ({ key, values }: Draft) => ({
  key,
  values: { ...values, image: '', screenshots: values.screenshots.map(({ alt }) => alt) },
})

const imageName = ({ name }: DraftSlot) => `${name}:image`
const screenshotsName = ({ name }: DraftSlot) => `${name}:screenshots`

const imagesOf = ({ screenshots }: ScriptValues) => screenshots.map(({ image }) => image)
const isSameList = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((item, i) => item === b[i])

const newDraft = (): Draft => ({ key: randomId(), values: EMPTY_VALUES })

/** Whether nothing was typed. The declaration is filled in from the code. */
export const isBlank = (values: ScriptValues): boolean =>
  changedFields(EMPTY_VALUES, values).every((name) => name === 'declared_capabilities' || name === 'declared_hosts')

/** Reads a stored draft, which may come from an older release. Undefined if there is nothing to restore. */
export function reviveDraft(stored: unknown, image: unknown, screenshots?: unknown): Draft | undefined {
  if (!isRecord(stored) || typeof stored['key'] !== 'string' || !isRecord(stored['values'])) return undefined
  const storedValues = stored['values']
  const entries = FIELD_NAMES.filter((name) => name !== 'image' && name !== 'screenshots').flatMap((name) => {
    const value = storedValues[name]
    return hasSameType(value, EMPTY_VALUES[name]) ? [[name, value]] : []
  })
  const values: ScriptValues = {
    ...EMPTY_VALUES,
    ...(Object.fromEntries(entries) as Partial<ScriptValues>),
    ...(image instanceof Blob ? { image } : {}),
    screenshots: reviveScreenshots(storedValues['screenshots'], screenshots),
  }
  return isBlank(values) ? undefined : { key: stored['key'], values }
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
