// Checks the references between the rows of a dump, before anything is written.
import type { DumpKindName, DumpRow } from '#contract/dumps.ts'
import { readScriptId } from '#contract/slug.ts'
import { hashSeed } from '#server/features/giveaways/draw.ts'
import { DumpError } from './read.ts'

interface CheckedScript {
  currentVersion: number
  fileSize: number
  /** Size of the current version, once it was read. */
  size: number | undefined
  /** The version that was published last. */
  newest: { number: number; time: string }
}

/** Also those of earlier versions, which have marks without a letter. */
const SLUG = /^[\p{L}\p{M}\p{N}_]+(?:-[\p{L}\p{M}\p{N}_]+)*$/u
/** Pages below /profile, and what would be taken for an id. */
const RESERVED_SLUG = /^(?:me|settings|\p{N}+)$/u

export class ReferenceCheck {
  readonly #tags = new Set<string>()
  readonly #images = new Set<string>()
  readonly #members = new Set<number>()
  readonly #slugs = new Set<string>()
  readonly #scripts = new Map<number, CheckedScript>()
  /** Script of each comment that is not a reply. */
  readonly #threads = new Map<number, number>()
  readonly #drawn = new Set<number>()
  readonly #successors: { id: number; successor: number }[] = []

  /** Throws DumpError. */
  add<K extends DumpKindName>(kind: K, row: DumpRow<K>): void {
    const reason = (this.#checks[kind] as (row: DumpRow<K>) => string | undefined)(row)
    if (reason !== undefined) throw new DumpError(`The dump contradicts itself: ${reason}.`)
  }

  /** Throws DumpError if a script has no code, or an unknown successor. */
  finish(): void {
    for (const { id, successor } of this.#successors) {
      if (id !== successor && this.#scripts.has(successor)) continue
      throw new DumpError(`The dump contradicts itself: the successor of script ${id} is not in it.`)
    }
    for (const [id, { currentVersion, fileSize, size, newest }] of this.#scripts) {
      if (size !== fileSize) {
        throw new DumpError(`The dump contradicts itself: the current version of script ${id} is not in it.`)
      }
      if (newest.number === currentVersion) continue
      throw new DumpError(`The dump contradicts itself: the current version of script ${id} was not published last.`)
    }
  }

  readonly #checks: { [K in DumpKindName]: (row: DumpRow<K>) => string | undefined } = {
    tags: ({ id, name }) => {
      if (this.#tags.has(name)) return `tag ${id} repeats a name`
      this.#tags.add(name)
      return undefined
    },
    images: ({ hash }) => {
      this.#images.add(hash)
      return undefined
    },
    members: ({ id, slug, profile_image, banner_image }) => {
      if (this.#slugs.has(slug)) return `member ${id} repeats a slug`
      if (!SLUG.test(slug) || slug !== slug.normalize('NFC').toLowerCase() || RESERVED_SLUG.test(slug)) {
        return `member ${id} has an invalid slug`
      }
      if (!this.#hasImage(profile_image) || !this.#hasImage(banner_image)) return `member ${id} has an unknown image`
      this.#slugs.add(slug)
      this.#members.add(id)
      return undefined
    },
    scripts: ({ id, author_id, tags, image, screenshots, current_version, file_size, successor_id, ...row }) => {
      if (successor_id) this.#successors.push({ id, successor: successor_id })
      if (!this.#members.has(author_id)) return `the author of script ${id} is not in it`
      const images = screenshots.map((screenshot) => screenshot.image)
      if (new Set(images).size < images.length) return `script ${id} repeats a screenshot`
      if (![image, ...images].every((hash) => this.#hasImage(hash))) return `script ${id} has an unknown image`
      if (new Set(tags).size < tags.length || !tags.every((tag) => this.#tags.has(tag))) {
        return `script ${id} has unknown tags`
      }
      if (row.key_system_url !== null && !row.has_key_system) return `script ${id} has a link but no key system`
      if (row.game_id !== null && row.is_universal) return `script ${id} is for one game and for all`
      this.#scripts.set(id, {
        currentVersion: current_version,
        fileSize: file_size,
        size: undefined,
        newest: { number: 0, time: '' },
      })
      return undefined
    },
    versions: ({ script_id, number, size, state, published_at, created_at }) => {
      const script = this.#scripts.get(script_id)
      if (!script) return `version ${number} is of script ${script_id}, which is not in it`
      if (state !== undefined && (state === 'current') !== (number === script.currentVersion)) {
        return `version ${number} of script ${script_id} is not ${state}`
      }
      const time = published_at ?? created_at
      if (number === script.currentVersion) script.size = size
      // Rows are sorted by number, which decides between equal times.
      if (time >= script.newest.time) script.newest = { number, time }
      return undefined
    },
    behavior: () => undefined,
    reviews: ({ id, script_id, member_id, reply, replied_at }) => {
      if (!this.#scripts.has(script_id)) return `the script of review ${id} is not in it`
      if ((reply === null) !== (replied_at === null)) return `the reply to review ${id} has no time`
      return this.#hasMember(member_id) ? undefined : `the author of review ${id} is not in it`
    },
    comments: ({ id, script_id, parent_id, author_id, mentions, text, deleted_at }) => {
      if (!this.#scripts.has(script_id)) return `the script of comment ${id} is not in it`
      if (!this.#hasMember(author_id)) return `the author of comment ${id} is not in it`
      if (!mentions.every((member) => this.#hasMember(member))) return `comment ${id} mentions an unknown member`
      if ((text === null) !== (deleted_at !== null)) return `comment ${id} has text although it is deleted, or none`
      if (parent_id === null) this.#threads.set(id, script_id)
      else if (this.#threads.get(parent_id) !== script_id) return `comment ${id} replies to an unknown comment`
      return undefined
    },
    collections: ({ id, owner_id, items }) => {
      if (!this.#members.has(owner_id)) return `the owner of collection ${id} is not in it`
      const scripts = new Set(items.map(({ script_id }) => script_id))
      if (scripts.size < items.length) return `collection ${id} repeats a script`
      return [...scripts].every((script) => this.#scripts.has(script))
        ? undefined
        : `collection ${id} has an unknown script`
    },
    giveaways: ({ id, seed, seed_sha256, drawn_at }) => {
      if ((seed === null) !== (drawn_at === null)) return `giveaway ${id} is drawn without a seed, or not drawn`
      if (seed !== null && hashSeed(seed) !== seed_sha256) return `the seed of giveaway ${id} does not match its hash`
      if (drawn_at !== null) this.#drawn.add(id)
      return undefined
    },
    giveaway_entries: ({ id, giveaway_id, member_id }) => {
      if (!this.#drawn.has(giveaway_id)) return `the giveaway of entry ${id} is not drawn`
      return this.#hasMember(member_id) ? undefined : `the winner of entry ${id} is not in it`
    },
    withdrawals: ({ id, script_id, slug }) =>
      readScriptId(slug) === script_id ? undefined : `withdrawal ${id} has the slug of another script`,
  }

  #hasMember(id: number | null): boolean {
    return id === null || this.#members.has(id)
  }

  #hasImage(hash: string | null): boolean {
    return hash === null || this.#images.has(hash)
  }
}
