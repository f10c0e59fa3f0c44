import fc from 'fast-check'
import { nextVersion } from '#contract/version-number.ts'

/** A script of the model, with its version history, oldest first. */
export interface KnownScript {
  id: number
  author: number
  title: string
  tags: string[]
  isPublic: boolean
  history: { content: string; version: string }[]
}

export interface NewForm {
  title: string
  description: string
  script_content: string
  tags: string[]
  is_public: boolean
}

export interface ChangeForm extends Partial<NewForm> {
  version?: string
}

export type Step =
  | { kind: 'publish'; author: number; form: NewForm }
  | { kind: 'change'; author: number; position: number; form: ChangeForm }
  | { kind: 'restore'; author: number; position: number; number: number }
  | { kind: 'remove'; author: number; position: number }

const common = { author: fc.nat(1), position: fc.nat(5) }
const fields = {
  title: fc.constantFrom('Alpha', 'Beta two', 'Γάμμα', '東京'),
  description: fc.constantFrom('One.', 'Two.'),
  script_content: fc.constantFrom('return 1', 'return 2', '-- ü\n'),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
  is_public: fc.boolean(),
}
const changes = fc.record({ ...fields, version: fc.constantFrom('1.0.0', '2') }, { requiredKeys: [] })

/** Random actions of two members on a few scripts, their own and each other's. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('publish'), ...common, form: fc.record(fields) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change'), ...common, form: changes }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('restore'), ...common, number: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), ...common }) },
)

/** All scripts in the order of publishing; a deleted script leaves an empty slot. */
export class ScriptModel {
  readonly #scripts: (KnownScript | undefined)[] = []

  get present(): KnownScript[] {
    return this.#scripts.filter((script) => script !== undefined)
  }

  idOf(step: Step): number {
    return step.kind === 'publish' ? 0 : (this.#scripts[step.position]?.id ?? 2_000_000_000)
  }

  /** Adds a published script. Returns the expected status. */
  publish(id: number, author: number, form: NewForm): number {
    const { title, tags, is_public: isPublic, script_content: content } = form
    this.#scripts.push({ id, author, title, tags, isPublic, history: [{ content, version: '1.0.0' }] })
    return 201
  }

  /** Applies a step other than publishing. Returns the expected status. */
  take(step: Exclude<Step, { kind: 'publish' }>): number {
    const script = this.#scripts[step.position]
    if (!script) return 404
    if (script.author !== step.author) return script.isPublic ? 403 : 404
    if (step.kind === 'remove') this.#scripts[step.position] = undefined
    if (step.kind === 'change') return change(script, step.form)
    if (step.kind === 'restore') {
      const former = script.history[step.number - 1]
      if (!former) return 404
      return addVersion(script, { content: former.content })
    }
    return 200
  }
}

function change(script: KnownScript, form: ChangeForm): number {
  const current = script.history.at(-1)?.version
  // Clients send all fields of a form: the current number counts as omitted.
  const version = form.version === current ? {} : { version: form.version }
  const status = addVersion(script, { content: form.script_content, ...version })
  if (status !== 200) return status
  script.title = form.title ?? script.title
  script.tags = form.tags ?? script.tags
  script.isPublic = form.is_public ?? script.isPublic
  return 200
}

interface AddedVersion {
  content: string | undefined
  version?: string | undefined
}

/** Adds a version with an unused number, if the code or the number changes. */
function addVersion({ history }: KnownScript, { content, version }: AddedVersion): number {
  const last = history.at(-1) ?? { content: '', version: '' }
  const isSameCode = content === undefined || content === last.content
  if (isSameCode && version === undefined) return 200
  const used = history.map((each) => each.version)
  if (version !== undefined && used.includes(version)) return 409
  history.push({ content: content ?? last.content, version: version ?? nextVersion(last.version, used) })
  return 200
}
