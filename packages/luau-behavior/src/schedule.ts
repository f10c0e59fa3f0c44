import type { Site } from './findings.ts'
import type { Later, Run } from './run.ts'
import { type Results, unknownResults } from './results.ts'
import { runBlock } from './statements.ts'
import type { Block, FunctionNode } from './syntax.ts'
import { UNRESOLVED } from './unresolved.ts'
import type { Closure, Frame, Value } from './values.ts'

interface Deferred {
  callee: Value
  args: Results | (() => Results)
  site: Site
}

const MAX_DEFERRED = 5000
const MAX_ROUNDS = 50
/** Functions from the same place that are run even if nothing calls them. */
const MAX_COPIES = 8

export class Schedule implements Later {
  readonly visited = new WeakSet<Block>()
  readonly ended = new WeakSet<Block>()
  private readonly run: Run
  private readonly created = new Map<FunctionNode, Closure[]>()
  private readonly called = new Map<FunctionNode, Set<Frame | undefined>>()
  private readonly rests = new Map<Block, { from: number; frame: Frame }>()
  private readonly skipped = new Map<Block, Frame>()
  private readonly handlers: Deferred[] = []
  private pending: Deferred[] = []
  private isFlushing = false

  constructor(run: Run) {
    this.run = run
  }

  /** Remembers a function, so that it is run even if nothing calls it. */
  create(closure: Closure): void {
    const copies = this.created.get(closure.fn)
    if (!copies) this.created.set(closure.fn, [closure])
    else if (copies.length < MAX_COPIES && copies.every(({ frame }) => frame !== closure.frame)) copies.push(closure)
  }

  recordCall({ fn, frame }: Closure): void {
    const frames = this.called.get(fn)
    if (frames) frames.add(frame)
    else this.called.set(fn, new Set([frame]))
  }

  skip(block: Block, frame: Frame): void {
    if (!this.visited.has(block)) this.skipped.set(block, frame)
  }

  skipRest(block: Block, from: number, frame: Frame): void {
    const known = this.rests.get(block)
    if (!this.ended.has(block) && (!known || known.from < from)) this.rests.set(block, { from, frame })
  }

  defer(callee: Value, args: Deferred['args'] = unknownResults(), site: Site = { line: 1, endLine: 1 }): void {
    if (this.handlers.length >= MAX_DEFERRED) {
      this.run.findings.addOpaque(UNRESOLVED.calls, site)
      return
    }
    this.handlers.push({ callee, args, site })
    this.pending.push({ callee, args, site })
  }

  flush(): void {
    if (this.isFlushing) return
    this.isFlushing = true
    this.runPending()
    this.isFlushing = false
  }

  private runPending(): number {
    const { pending } = this
    this.pending = []
    this.runDeferred(pending)
    return pending.length
  }

  private runDeferred(all: readonly Deferred[]): void {
    for (const { callee, args, site } of all)
      this.inBranch(() => this.run.call(callee, typeof args === 'function' ? args() : args, site))
  }

  /** Runs all that was not run, and handlers again that may do something else after it. */
  runRest(): void {
    const { state } = this.run
    this.isFlushing = true
    this.runDeferred(this.handlers.slice(0, this.handlers.length - this.pending.length))
    const { generation } = state
    this.runRounds()
    if (state.generation === generation || this.run.isExhausted) return
    this.runDeferred([...this.handlers])
    for (const closure of [...this.created.values()].flat()) {
      if (this.entries.has(closure)) this.inBranch(() => this.run.callFunction(closure, unknownResults()))
    }
    this.runRounds()
  }

  /** Functions that nothing in the script calls. */
  private readonly entries = new Set<Closure>()

  private runRounds(): void {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const count = this.runPending() + this.runUncalled() + this.runSkipped()
      if (count === 0) return
    }
  }

  private runUncalled(): number {
    let count = 0
    for (const closure of [...this.created.values()].flat()) {
      if (this.called.get(closure.fn)?.has(closure.frame)) continue
      count++
      this.entries.add(closure)
      this.inBranch(() => this.run.callFunction(closure, unknownResults()))
    }
    return count
  }

  private runSkipped(): number {
    const blocks = [...this.skipped].filter(([block]) => !this.visited.has(block))
    this.skipped.clear()
    for (const [block, { from, frame }] of this.rests)
      if (!this.ended.has(block)) {
        this.ended.add(block)
        blocks.push([block.slice(from), frame])
      }
    this.rests.clear()
    for (const [block, frame] of blocks) this.inBranch(() => runBlock(this.run, block, frame))
    return blocks.length
  }

  private inBranch(run: () => unknown): void {
    this.run.state.runBranches([() => (run(), 'next'), () => 'next'])
  }
}
