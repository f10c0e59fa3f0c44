import type { ScriptValues } from '#web/components/script-form/values.ts'
import { acquireDraftSlot, type DraftSlot, readDraft, removeDraft, writeDraft } from '#web/lib/drafts.ts'
import { type Draft, isBlank, newDraft, reviveDraft } from './draft.ts'

/** Short enough that a reload right after a word finds it; the page's end writes at once. */
const PAUSE_MS = 250

/** Keeps what is being written in this browser, a little after each change and whenever the page may end. */
export class DraftAutosave {
  draft: Draft
  readonly #place: DraftSlot
  readonly #onKept: (isKept: boolean) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #keptImage: unknown
  #isDirty = false

  private constructor(place: DraftSlot, draft: Draft, onKept: (isKept: boolean) => void) {
    this.#place = place
    this.draft = draft
    this.#keptImage = draft.values.image
    this.#onKept = onKept
  }

  /** Where the browser keeps nothing, writing goes on without a net. */
  static async open(memberId: number, onKept: (isKept: boolean) => void) {
    const place = await acquireDraftSlot(`upload:${memberId}`)
    const [kept, image] = await Promise.all([readDraft(place.name), readDraft(imageName(place))]).catch(() => [])
    const found = reviveDraft(kept, image)
    return { keeper: new DraftAutosave(place, found ?? newDraft(), onKept), isRestored: found !== undefined }
  }

  change(values: ScriptValues): void {
    this.draft = { ...this.draft, values }
    this.#isDirty = true
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), PAUSE_MS)
  }

  renewKey(): void {
    this.draft = { ...this.draft, key: newDraft().key }
    this.change(this.draft.values)
  }

  /** Writes what is not yet written. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#isDirty) return
    this.#isDirty = false
    const { key, values } = this.draft
    const { image, ...texts } = values
    try {
      if (isBlank(values)) return await this.#remove()
      const writes = [writeDraft(this.#place.name, { key, values: texts })]
      // Megabytes: only when it is another one.
      if (image !== this.#keptImage) writes.push(writeDraft(imageName(this.#place), image))
      this.#keptImage = image
      await Promise.all(writes)
      this.#onKept(true)
    } catch {
      this.#onKept(false)
    }
  }

  /** Begins anew: another script, with a key of its own. */
  async discard(): Promise<void> {
    clearTimeout(this.#timer)
    this.#isDirty = false
    this.draft = newDraft()
    await this.#remove().catch(() => undefined)
  }

  close(): void {
    void this.flush().finally(() => this.#place.release())
  }

  async #remove(): Promise<void> {
    this.#keptImage = ''
    await Promise.all([removeDraft(this.#place.name), removeDraft(imageName(this.#place))])
  }
}

const imageName = ({ name }: DraftSlot) => `${name}:image`
