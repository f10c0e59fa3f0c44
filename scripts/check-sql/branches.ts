// Runs a function once for each branch of each condition that it asks about.
import { DeadBranchError } from './values.ts'

const MAX_RUNS = 200

/** The branches of one run. Conditions with the same text have the same result. */
export class Branches {
  /** The branch that was taken, and all that there are. */
  readonly taken = new Map<string, { branch: string; options: readonly string[] }>()
  readonly #wanted: ReadonlyMap<string, string>

  constructor(wanted: ReadonlyMap<string, string>) {
    this.#wanted = wanted
  }

  choose(key: string, options: readonly string[]): string | undefined {
    const former = this.taken.get(key)?.branch ?? this.#wanted.get(key)
    const branch = former !== undefined && options.includes(former) ? former : options[0]
    if (branch !== undefined && !this.taken.has(key)) this.taken.set(key, { branch, options })
    return branch
  }

  chooseFrom<T>(key: string, options: readonly T[]): T | undefined {
    return options[Number(this.choose(key, [...options.keys()].map(String)))]
  }

  isTruthy(text: string): boolean {
    return this.choose(`if ${text.replaceAll(/\s+/g, ' ')}`, ['true', 'false']) === 'true'
  }
}

/** The results of the runs. Each branch is in at least one of them, unless it throws DeadBranchError. */
export function runBranches<T>(run: (branches: Branches) => T): T[] {
  const results: T[] = []
  const pending: ReadonlyMap<string, string>[] = [new Map()]
  const seen = new Set<string>()
  for (let runs = 0; runs < MAX_RUNS; runs++) {
    const wanted = pending.shift()
    if (!wanted) break
    const branches = new Branches(wanted)
    try {
      results.push(run(branches))
    } catch (error) {
      if (!(error instanceof DeadBranchError)) throw error
    }
    const taken = new Map<string, string>()
    for (const [key, { branch, options }] of branches.taken) {
      seen.add(`${key} ${branch}`)
      for (const option of options) {
        if (seen.has(`${key} ${option}`)) continue
        seen.add(`${key} ${option}`)
        pending.push(new Map([...taken, [key, option]]))
      }
      taken.set(key, branch)
    }
  }
  return results
}
