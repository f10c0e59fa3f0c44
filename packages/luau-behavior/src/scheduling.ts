// Functions that call other functions: at once, later, as coroutines, or so that errors are caught. And those that replace others.
import { recordExecutor } from './executor.ts'
import type { Run } from './run.ts'
import { type Results, resultAt, results, unknownResults } from './results.ts'
import type { LibraryFunction } from './tables-and-texts.ts'
import { Closure, isConstant, join, Library, optionsOf, Thread, UNKNOWN, type Value } from './values.ts'

const first: LibraryFunction = (_run, args) => results(resultAt(args, 0))

const after = (args: Results, count: number): Results => ({ values: args.values.slice(count), rest: args.rest })

const waits: LibraryFunction = (run) => {
  run.schedule.flush()
  run.hasWaited = true
  return unknownResults()
}

/** The values that a coroutine yields are returned by the call that resumes it. */
const yields: LibraryFunction = (run, args) => {
  run.yielded.at(-1)?.push(args)
  run.hasWaited = true
  return run.resumed.at(-1) ?? unknownResults()
}

const callFirst: LibraryFunction = (run, args, site) => {
  const callee = resultAt(args, 0)
  run.truth(callee)
  return run.call(callee, after(args, 1), site)
}

/** A coroutine that is resumed, or a function in `pcall`: an error that it throws may be the second result. */
const protectedCall: LibraryFunction = (run, args, site) => {
  const outer = run.thrown
  run.thrown = []
  const { values, rest } = callFirst(run, args, site)
  const { thrown } = run
  run.thrown = outer
  const [value = null, ...others] = values
  return { values: [UNKNOWN, thrown.reduce(join, value), ...others], rest }
}

/** Longer functions that go to `pcall` are a script of their own rather than an attempt to call something. */
const MAX_ATTEMPT_STATEMENTS = 4

/** `pcall`: in a short function, it is a test whether the functions called there exist. */
const attempt: LibraryFunction = (run, args, site) => {
  const callee = resultAt(args, 0)
  if (!(callee instanceof Closure) || callee.fn.body.length > MAX_ATTEMPT_STATEMENTS) {
    return protectedCall(run, args, site)
  }
  run.attempts++
  try {
    return protectedCall(run, args, site)
  } finally {
    run.attempts--
  }
}

const isOwn = (value: Value): boolean => value instanceof Closure || value instanceof Thread

/** Functions of the script run once it waits, all others at once: what those do does not depend on the script. */
const later =
  (position: number): LibraryFunction =>
  (run, args, site) => {
    const rest = after(args, position + 1)
    for (const option of optionsOf(resultAt(args, position))) {
      if (isOwn(option)) run.schedule.defer(option, { values: rest.values, rest: rest.rest ?? UNKNOWN }, site)
      else run.call(option, rest, site)
    }
    run.hasWaited = true
    return results(resultAt(args, position))
  }

/** Runs a function at once, and again later, since it may wait. */
const spawns: LibraryFunction = (run, args, site) => {
  const rest = after(args, 1)
  run.call(resultAt(args, 0), rest, site)
  for (const option of optionsOf(resultAt(args, 0))) if (isOwn(option)) run.schedule.defer(option, rest, site)
  run.hasWaited = true
  return results(resultAt(args, 0))
}

const makesThread: LibraryFunction = (_run, args) => results(new Thread(resultAt(args, 0)))

/** `secure_call(f, script, ...)`. */
const callsSecurely: LibraryFunction = (run, args, site) => {
  recordExecutor(run, new Library('secure_call'), site)
  return run.call(resultAt(args, 0), after(args, 2), site)
}

export const SCHEDULING: Record<string, LibraryFunction> = {
  pcall: attempt,
  ypcall: attempt,
  xpcall: (run, args, site) => {
    const handler = resultAt(args, 1)
    const outcome = attempt(run, { values: [resultAt(args, 0), ...args.values.slice(2)], rest: args.rest }, site)
    run.call(handler, results(resultAt(outcome, 1)), site)
    return outcome
  },
  error: (run, args) => {
    run.thrown.push(resultAt(args, 0))
    return results()
  },
  assert: (run, args) => {
    run.truth(resultAt(args, 0))
    const message = resultAt(args, 1)
    if (!isConstant(message)) run.thrown.push(message)
    return args
  },
  spawn: later(0),
  Spawn: later(0),
  delay: later(1),
  Delay: later(1),
  'task.spawn': spawns,
  'task.defer': later(0),
  'task.delay': later(1),
  'coroutine.create': makesThread,
  'coroutine.wrap': makesThread,
  'coroutine.resume': protectedCall,
  'coroutine.yield': yields,
  wait: waits,
  Wait: waits,
  'task.wait': waits,
  secure_call: callsSecurely,
  'syn.secure_call': callsSecurely,
}

/** From now on, calls of the first function also call the second one. Returns what is replaced. */
const replaces =
  (name: string): LibraryFunction =>
  (run, args, site) => {
    recordExecutor(run, new Library(name), site)
    run.findings.add('client.hook', 'code', site, name)
    const [target = null, replacement = null] = args.values
    for (const option of optionsOf(target)) replace(run, option, replacement)
    run.useElsewhere(replacement)
    run.hasWaited = true
    return results(target)
  }

function replace(run: Run, target: Value, replacement: Value): void {
  const key = target instanceof Library ? target.path : target instanceof Closure ? target.fn : undefined
  if (key !== undefined) run.replaced.set(key, replacement)
}

/** Makes a function that does what its argument does. */
const wraps =
  (name: string, isHook = false): LibraryFunction =>
  (run, args, site) => {
    recordExecutor(run, new Library(name), site)
    if (isHook) run.findings.add('client.hook', 'code', site, name)
    return first(run, args, site)
  }

const HOOK_NAMES =
  'hookfunction hookfunc replaceclosure replacefunction detour_function detourfunction syn.oth.hook oth.hook syn.hook_function'

export const HOOKS: Record<string, LibraryFunction> = {
  ...Object.fromEntries(HOOK_NAMES.split(' ').map((name) => [name, replaces(name)])),
  newcclosure: wraps('newcclosure', true),
  new_c_closure: wraps('new_c_closure', true),
  newlclosure: wraps('newlclosure'),
  clonefunction: wraps('clonefunction'),
}
