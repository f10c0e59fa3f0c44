import { useEffect, useRef, useState } from 'react'
import type { Draft as StoredDraft } from '#contract/drafts.ts'
import {
  changeValues,
  EMPTY_VALUES,
  type FormScreenshot,
  hasSameImages,
  type ScriptValues,
} from '#web/features/script-edit/form/values.ts'
import { useApi } from '#web/lib/api-context.ts'
import { isRecord } from '#web/lib/api-error.ts'
import type { Api } from '#web/lib/client.ts'
import {
  acquireDraftSlot,
  copyDraft,
  type DraftSlot,
  readDraft,
  readDrafts,
  removeDraft,
  writeDraft,
} from '#web/lib/drafts.ts'
import {
  type Draft,
  hasSameFields,
  imagesOf,
  isBlank,
  isSameList,
  newDraft,
  type OtherDraft,
  reviveDraft,
  toDraftValues,
  toOther,
  withImagesOf,
  withoutImages,
} from './draft-record.ts'
import { chooseState, DraftSync, NO_COPY } from './draft-sync.ts'

/** Where the newest changes are stored. */
export type SavedIn = 'browser' | 'account' | 'nowhere'

export interface DraftState {
  isReady: boolean
  values: ScriptValues
  /** The form started with a stored draft. */
  isRestored: boolean
  /** Undefined until the first save. */
  savedIn: SavedIn | undefined
  other: OtherDraft | undefined
  takeOther: () => Promise<void>
  /** Deletes the other draft if it is another script. */
  dismissOther: () => Promise<void>
  change: (change: Partial<ScriptValues>) => void
  /** The newest draft, also within the event that changed it. */
  current: () => Pick<Draft, 'key' | 'values'>
  flush: () => Promise<void>
  discard: () => Promise<void>
  /** Makes the draft a different script from the one an earlier attempt published. */
  renewKey: () => void
}

/** The script that a member is writing, stored in this browser and in their account until it is published or discarded. */
export function useDraft(memberId: number): DraftState {
  const api = useApi()
  const autosave = useRef<DraftAutosave>(undefined)
  const [isReady, setReady] = useState(false)
  const [isRestored, setRestored] = useState(false)
  const [savedIn, setSavedIn] = useState<SavedIn>()
  const [other, setOther] = useState<OtherDraft>()
  const [values, setValues] = useState(EMPTY_VALUES)

  const [events] = useState<Events>(() => ({ onSaved: setSavedIn, onOther: setOther, onAdopted: setValues }))
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const start = async () => {
      const opened = await DraftAutosave.open(api, memberId, events)
      if (signal.aborted) return opened.autosave.close()
      autosave.current = opened.autosave
      setValues(opened.autosave.draft.values)
      setRestored(opened.isRestored)
      setReady(true)
      void opened.autosave.lookElsewhere()
      addEventListener('pagehide', () => autosave.current?.leave(), { signal })
      document.addEventListener('visibilitychange', () => void autosave.current?.flush(), { signal })
    }
    void start()
    return () => {
      controller.abort()
      autosave.current?.close()
      autosave.current = undefined
      setReady(false)
    }
  }, [api, memberId, events])

  const current = () => autosave.current?.draft ?? { key: '', values: EMPTY_VALUES }
  const change = (changed: Partial<ScriptValues>) => {
    const next = changeValues(current().values, changed)
    autosave.current?.change(next)
    setValues(next)
  }
  return {
    isReady,
    values,
    isRestored,
    savedIn,
    other,
    current,
    change,
    takeOther: async () => {
      if (!other || !autosave.current) return
      if (other.isOtherScript) {
        autosave.current = await autosave.current.open(other)
        setOther(undefined)
        setValues(other.values)
        return setRestored(true)
      }
      const { savedAt, values: before } = autosave.current.draft
      setOther({ ...other, values: before, changedAt: new Date(savedAt).toISOString(), from: 'browser' })
      change(withImagesOf(other.values, before))
    },
    dismissOther: async () => {
      setOther(undefined)
      if (other?.isOtherScript) await api('DELETE /api/draft', { query: { key: other.key } }).catch(() => undefined)
    },
    renewKey: () => autosave.current?.renewKey(),
    flush: async () => autosave.current?.flush(),
    discard: async () => {
      await autosave.current?.discard()
      setValues(EMPTY_VALUES)
      setRestored(false)
      setSavedIn(undefined)
      if (!other?.isOtherScript) setOther(undefined)
    },
  }
}

/** Delay of autosave. Short, so that a reload right after typing finds the draft. Leaving the page saves immediately. */
const SAVE_DELAY_MS = 250

interface Events {
  onSaved: (savedIn: SavedIn | undefined) => void
  onOther: (other: OtherDraft) => void
  /** The form shows what another device has stored. */
  onAdopted: (values: ScriptValues) => void
}

/** Saves a draft in this browser after each change, images immediately, and when the page is hidden; more rarely on the server. */
class DraftAutosave {
  draft: Draft
  readonly #api: Api
  readonly #memberId: number
  readonly #slot: DraftSlot
  readonly #events: Events
  #sync: DraftSync
  #timer: ReturnType<typeof setTimeout> | undefined
  #savedImage: unknown
  #savedScreenshots: readonly FormScreenshot['image'][]
  #isDirty = false
  #savedDraft: Draft
  #isClosed = false

  private constructor(api: Api, memberId: number, slot: DraftSlot, draft: Draft, events: Events) {
    this.#api = api
    this.#memberId = memberId
    this.#slot = slot
    this.draft = draft
    this.#savedImage = draft.values.image
    this.#savedScreenshots = imagesOf(draft.values)
    this.#savedDraft = draft
    this.#events = events
    this.#sync = this.#openSync()
  }

  /** Opens the stored draft or a new one. If the browser blocks storage, the form works without autosave. */
  static async open(api: Api, memberId: number, events: Events) {
    const slot = await acquireDraftSlot(subjectOf(memberId))
    const records = [slot.name, imageName(slot), screenshotsName(slot)].map(readDraft)
    const [stored, image, screenshots] = await Promise.all(records).catch(() => [])
    const restored = reviveDraft(stored, image, screenshots)
    const autosave = new DraftAutosave(api, memberId, slot, restored ?? newDraft(), events)
    return { autosave, isRestored: restored !== undefined }
  }

  /** Closes this draft, which stays where it is, and opens one of another device. */
  async open({ key, values, changedAt }: OtherDraft): Promise<DraftAutosave> {
    const slot = await acquireDraftSlot(subjectOf(this.#memberId), true)
    this.close()
    const draft = { key, values, savedAt: Date.parse(changedAt), server: { updatedAt: changedAt, isSame: true } }
    const autosave = new DraftAutosave(this.#api, this.#memberId, slot, draft, this.#events)
    autosave.#isDirty = true
    await autosave.flush()
    return autosave
  }

  /** Compares with what other devices have stored, and offers what this browser does not have. */
  async lookElsewhere(): Promise<void> {
    try {
      const { drafts } = await this.#api('GET /api/drafts')
      const local = await readDrafts(subjectOf(this.#memberId))
      const keys = new Set(local.map((draft) => (isRecord(draft) ? draft['key'] : undefined)))
      const own = drafts.find(({ key }) => key === this.draft.key)
      const { updatedAt } = this.draft.server
      if (own && own.updated_at !== updatedAt) return this.#compare(await this.#load(own.key))
      // A draft that another device has published or discarded is not stored again until it changes.
      if (own || updatedAt === null) this.#resume()
      const found = drafts.find(({ key, script_id }) => script_id === null && !keys.has(key))
      if (found) this.#offer(await this.#load(found.key))
    } catch {
      // Without a connection the draft of this browser goes on.
    }
  }

  /** Stores what was typed when the server could not be reached. */
  #resume(): void {
    if (!this.draft.server.isSame && !isBlank(this.draft.values)) this.#sync.schedule()
  }

  #load(key: string): Promise<StoredDraft> {
    return this.#api('GET /api/draft', { query: { key } })
  }

  #offer(stored: StoredDraft): void {
    if (!this.#isClosed) this.#events.onOther(toOther(stored, stored.key !== this.draft.key))
  }

  #compare(stored: StoredDraft): void {
    if (this.#isClosed) return
    const { savedAt, values } = this.draft
    const other = toOther(stored, false)
    // If the response was lost, the stored state is what this browser sent.
    const isOwn = hasSameFields(values, other.values)
    const { shown, hasOther } = isOwn ? OWN_STATE : chooseState(this.draft, stored)
    this.#sync.adopt(stored.updated_at)
    if (shown === 'local') {
      if (hasOther) this.#offer(stored)
      return this.#sync.schedule()
    }
    const adopted = withImagesOf(other.values, values)
    const server = { updatedAt: stored.updated_at, isSame: true }
    this.draft = { ...this.draft, values: adopted, savedAt: Date.parse(stored.updated_at), server }
    this.#isDirty = true
    void this.flush()
    this.#events.onAdopted(adopted)
    if (hasOther)
      this.#events.onOther({ ...other, values, changedAt: new Date(savedAt).toISOString(), from: 'browser' })
  }

  #openSync(): DraftSync {
    const { key, server } = this.draft
    return new DraftSync({
      api: this.#api,
      key,
      copy: server,
      read: () => (isBlank(this.draft.values) ? undefined : { values: toDraftValues(this.draft.values) }),
      onSaved: (copy) => {
        if (this.draft.key !== key) return
        this.draft = { ...this.draft, server: copy }
        this.#isDirty = true
        void this.#store()
      },
      onReplace: (stored) => this.#offer(stored),
    })
  }

  change(values: ScriptValues): void {
    const hasNewImages = !hasSameImages(values, this.draft.values)
    const server = { ...this.draft.server, isSame: false }
    this.draft = { ...this.draft, values, savedAt: Date.now(), server }
    this.#isDirty = true
    clearTimeout(this.#timer)
    this.#sync.schedule()
    // Images are too large for the copy that a page makes when it is left.
    if (hasNewImages) void this.#store()
    else this.#timer = setTimeout(() => void this.#store(), SAVE_DELAY_MS)
  }

  renewKey(): void {
    void this.#sync.remove()
    this.#sync.close()
    this.draft = { ...this.draft, key: newDraft().key, server: NO_COPY }
    this.#sync = this.#openSync()
    this.change(this.draft.values)
  }

  /** Saves the draft of a page that is being left. */
  leave(): void {
    const isSaved = this.draft === this.#savedDraft || isBlank(this.draft.values)
    if (!isSaved) copyDraft(this.#slot.name, withoutImages(this.draft))
    void this.flush()
  }

  /** Saves in this browser, and begins to save on the server. */
  async flush(): Promise<void> {
    void this.#sync.flush()
    await this.#store()
  }

  async #store(): Promise<void> {
    clearTimeout(this.#timer)
    if (!this.#isDirty) return
    this.#isDirty = false
    const { draft } = this
    const { values } = draft
    const { image } = values
    const images = imagesOf(values)
    try {
      if (isBlank(values)) {
        void this.#sync.remove()
        return await this.#remove()
      }
      const writes = [writeDraft(this.#slot.name, withoutImages(draft))]
      // An image may be megabytes: written only when it has changed.
      if (image !== this.#savedImage) writes.push(writeDraft(imageName(this.#slot), image))
      if (!isSameList(images, this.#savedScreenshots)) writes.push(writeDraft(screenshotsName(this.#slot), images))
      this.#savedImage = image
      this.#savedScreenshots = images
      await Promise.all(writes)
      this.#savedDraft = draft
      this.#report(draft.server.isSame ? 'account' : 'browser')
    } catch {
      this.#report('nowhere')
    }
  }

  #report(savedIn: SavedIn): void {
    if (!this.#isClosed) this.#events.onSaved(savedIn)
  }

  /** Removes the draft and starts a new one with a new key. */
  async discard(): Promise<void> {
    clearTimeout(this.#timer)
    this.#isDirty = false
    const removed = this.#sync.remove()
    this.draft = newDraft()
    this.#sync.close()
    this.#sync = this.#openSync()
    await Promise.all([removed, this.#remove().catch(() => undefined)])
  }

  close(): void {
    this.#isClosed = true
    this.#sync.close()
    void this.#store().finally(() => this.#slot.release())
  }

  async #remove(): Promise<void> {
    this.#savedImage = ''
    this.#savedScreenshots = []
    await Promise.all([this.#slot.name, imageName(this.#slot), screenshotsName(this.#slot)].map(removeDraft))
  }
}

const OWN_STATE = { shown: 'stored', hasOther: false } as const

const subjectOf = (memberId: number) => `upload:${memberId}`

const imageName = ({ name }: DraftSlot) => `${name}:image`
const screenshotsName = ({ name }: DraftSlot) => `${name}:screenshots`
