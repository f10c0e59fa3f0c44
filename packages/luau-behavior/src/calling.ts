// Calls of values: of functions of the script, of Roblox and of executors, and of values of which too little is known.
import { callLibrary } from './calls.ts'
import type { Site } from './findings.ts'
import { readField } from './indexing.ts'
import type { Run } from './run.ts'
import { joinResults, type Results } from './results.ts'
import { callMethod } from './roblox.ts'
import { callUnknown } from './unknown-calls.ts'
import { Closure, Instance, Library, optionsOf, Table, Thread, type Union, Unknown, type Value } from './values.ts'

type Option = Exclude<Value, Union>

export function callValue(run: Run, callee: Value, args: Results, site: Site): Results {
  return callOptions(callee, (option) => {
    const replacement = run.replacementOf(option)
    const own = callOne(run, option, args, site)
    if (replacement === undefined) return own
    return joinResults([callOptions(replacement, (one) => callOne(run, one, args, site)), own])
  })
}

function callOne(run: Run, callee: Option, args: Results, site: Site): Results {
  if (callee instanceof Closure) return run.callFunction(callee, args)
  if (callee instanceof Library) return callLibrary(run, callee, args, site)
  if (callee instanceof Thread) return resume(run, callee, args, site)
  if (callee instanceof Instance && callee.owner && callee.name !== '') {
    // A method that was taken out of its object: `local get = game.HttpGet`.
    return callMethod(run, callee.owner, callee.name, withoutFirst(args), site)
  }
  if (callee instanceof Table) {
    const method = callee.metatable?.entries.get('__call')
    if (method !== undefined) return run.call(method, withFirst(callee, args), site)
  }
  return callUnknown(run, args, site, callee)
}

const withFirst = (first: Value, { values, rest }: Results): Results => ({ values: [first, ...values], rest })
const withoutFirst = ({ values, rest }: Results): Results => ({ values: values.slice(1), rest })

/** What a coroutine is resumed with are its arguments or what `coroutine.yield` returns in it. */
function resume(run: Run, thread: Thread, args: Results, site: Site): Results {
  thread.args = thread.args ? joinResults([thread.args, args]) : args
  run.resumed.push(thread.args)
  const returned = run.call(thread.body, thread.args, site)
  run.resumed.pop()
  return returned
}

export function callMember(run: Run, object: Value, name: string, args: Results, site: Site): Results {
  return callOptions(object, (option) => {
    if (option instanceof Table) {
      const member = readField(run, option, name)
      return member === null ? callUnknown(run, args, site) : run.call(member, withFirst(option, args), site)
    }
    if (typeof option === 'string') return run.call(new Library(`string.${name}`), withFirst(option, args), site)
    if (option instanceof Library) return run.call(new Library(`${option.path}.${name}`), args, site)
    if (option instanceof Instance || option instanceof Unknown) return callMethod(run, option, name, args, site)
    return callUnknown(run, args, site)
  })
}

function callOptions(value: Value, call: (option: Option) => Results): Results {
  const options = optionsOf(value)
  const callable = options.length > 1 ? options.filter((option) => option !== null) : options
  const all = callable.map((option) => call(option))
  return all.length === 1 && all[0] ? all[0] : joinResults(all)
}
