import fc from 'fast-check'

/** A script as the plain model knows it, with every code and version number it ever had, the first one first. */
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
  | { kind: 'change'; author: number; at: number; form: ChangeForm }
  | { kind: 'restore'; author: number; at: number; number: number }
  | { kind: 'remove'; author: number; at: number }

const common = { author: fc.nat(1), at: fc.nat(5) }
const fields = {
  title: fc.constantFrom('Alpha', 'Beta two', 'Γάμμα', '東京'),
  description: fc.constantFrom('One.', 'Two.'),
  script_content: fc.constantFrom('return 1', 'return 2', '-- ü\n'),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
  is_public: fc.boolean(),
}
const changes = fc.record({ ...fields, version: fc.constantFrom('1.0.0', '2') }, { requiredKeys: [] })

/** What two members do with a handful of scripts, their own and the other's. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('publish'), ...common, form: fc.record(fields) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change'), ...common, form: changes }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('restore'), ...common, number: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), ...common }) },
)

/** All scripts by the order in which they were published; a deleted one leaves its place empty. */
export class ScriptModel {
  readonly #scripts: (KnownScript | undefined)[] = []

  get present(): KnownScript[] {
    return this.#scripts.filter((script) => script !== undefined)
  }

  idOf(step: Step): number {
    return step.kind === 'publish' ? 0 : (this.#scripts[step.at]?.id ?? 2_000_000_000)
  }

  /** Notes a new script and gives what its form is answered with. */
  publish(id: number, author: number, form: NewForm): number {
    const { title, tags, is_public: isPublic, script_content: content } = form
    this.#scripts.push({ id, author, title, tags, isPublic, history: [{ content, version: '1.0.0' }] })
    return 201
  }

  /** Takes a step that is not a new script and says what it is to be answered with. */
  take(step: Exclude<Step, { kind: 'publish' }>): number {
    const script = this.#scripts[step.at]
    if (!script) return 404
    if (script.author !== step.author) return script.isPublic ? 403 : 404
    if (step.kind === 'remove') this.#scripts[step.at] = undefined
    if (step.kind === 'change') change(script, step.form)
    if (step.kind === 'restore') {
      const former = script.history[step.number - 1]
      if (!former) return 404
      addVersion(script, former)
    }
    return 200
  }
}

function change(script: KnownScript, form: ChangeForm): void {
  const last = script.history.at(-1)
  script.title = form.title ?? script.title
  script.tags = form.tags ?? script.tags
  script.isPublic = form.is_public ?? script.isPublic
  addVersion(script, {
    content: form.script_content ?? last?.content ?? '',
    version: form.version ?? last?.version ?? '',
  })
}

function addVersion(script: KnownScript, { content, version }: KnownScript['history'][number]): void {
  const last = script.history.at(-1)
  if (last?.content !== content || last.version !== version) script.history.push({ content, version })
}
