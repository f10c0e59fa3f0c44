// Calls of functions that are global in Luau, Roblox or executors.
import { OPAQUE } from './capabilities.ts'
import type { Site } from './findings.ts'
import {
  BASE64_DECODERS,
  findRule,
  GET_FUNCTIONS,
  PERSIST_FUNCTIONS,
  POST_FUNCTIONS,
  REQUEST_FUNCTIONS,
  SOCKET_FUNCTIONS,
} from './functions.ts'
import { recordExecutor } from './executor.ts'
import { findHosts } from './hosts.ts'
import { writeRaw } from './indexing.ts'
import type { Run } from './run.ts'
import { joinResults, type Results, resultAt, results, unknownResults } from './results.ts'
import { loadText } from './loading.ts'
import { BUFFER_FUNCTIONS } from './buffers.ts'
import { metamethod } from './operators.ts'
import { HOOKS, SCHEDULING } from './scheduling.ts'
import { gmatch, type LibraryFunction, substitute, TABLE_FUNCTIONS } from './tables-and-texts.ts'
import { PatternError } from './patterns.ts'
import { PURE } from './pure.ts'
import { readUrl, receiveResponse, sendRequest } from './requests.ts'
import { ORIGIN } from './origins.ts'
import { UNRESOLVED } from './unresolved.ts'
import {
  Closure,
  combinations,
  Environment,
  Instance,
  isConstant,
  join,
  Library,
  optionsOf,
  originOf,
  originsOf,
  Table,
  textsOf,
  Unknown,
  UNKNOWN,
  type Value,
} from './values.ts'

export function callLibrary(run: Run, library: Library, args: Results, site: Site): Results {
  const { path } = library
  const own = OWN[path]
  if (own) return own(run, args, site)
  const pure = PURE[path]
  if (pure) return callPure(run, pure, args, path, site)
  recordExecutor(run, library, site)
  if (REQUEST_FUNCTIONS.has(path)) return receiveResponse(run, resultAt(args, 0), site, path)
  if (GET_FUNCTIONS.has(path)) return readUrl(run, urlOf(args), site, path)
  if (POST_FUNCTIONS.has(path)) {
    const request = { url: resultAt(args, 0), body: resultAt(args, 1), headers: null, method: 'POST' }
    return sendRequest(run, request, site, path)
  }
  if (SOCKET_FUNCTIONS.has(path)) return openSocket(run, resultAt(args, 0), site, path)
  if (PERSIST_FUNCTIONS.has(path)) {
    run.findings.add('code.persist', 'code', site, path)
    const code = resultAt(args, 0)
    for (const text of textsOf(code)) loadText(run, text, site)
    if (originOf(code) & ORIGIN.network) run.findings.add('code.remote', 'code', site, `${path} of a download`)
    return results()
  }
  if (BASE64_DECODERS.has(path)) return results(decodeBase64(resultAt(args, 0)))
  return callKnown(run, path, args, site)
}

/** The URL of a call: the second argument in `game.HttpGet(game, url)` and similar calls, else the first. */
const urlOf = (args: Results): Value => {
  const first = resultAt(args, 0)
  return first instanceof Instance ? resultAt(args, 1) : first
}

/** Functions that may build a hidden text from parts. */
const DECODING = new Set(['string.char', 'string.reverse', 'string.format', 'table.concat'])

function callPure(run: Run, pure: (typeof PURE)[string], args: Results, path: string, site: Site): Results {
  const rows = args.rest === undefined ? combinations(args.values) : undefined
  const known = rows?.map((values) => compute(pure, values))
  if (known?.every((values) => values !== undefined)) {
    for (const value of known.flat()) {
      if (typeof value !== 'string') continue
      run.addWork(value.length / 50)
      if (DECODING.has(path)) run.findings.recordText(value, site.line)
    }
    return joinResults(known.map((values) => results(...values)))
  }
  const origin = originsOf([...args.values, args.rest ?? null])
  const isText = path.startsWith('string.') || path === 'tostring' || path === 'table.concat'
  const value = new Unknown(origin, undefined, isText ? 'text' : '', sourceOf(args))
  const [first] = args.values
  const describe = path === 'tostring' && first !== undefined ? metamethod(first, '__tostring') : undefined
  if (describe !== undefined) return run.call(describe, args, site)
  if (path === 'tostring' && first !== undefined) return results(first instanceof Unknown ? first : value)
  return unknownResults(value)
}

function compute(pure: (typeof PURE)[string], values: readonly Value[]): Value[] | undefined {
  try {
    return pure?.(values)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return undefined
  }
}

const sourceOf = (args: Results): string | undefined =>
  args.values
    .map((value) => (value instanceof Unknown ? value.source : undefined))
    .find((source) => source !== undefined)

function openSocket(run: Run, url: Value, site: Site, name: string): Results {
  const texts = textsOf(url)
  run.findings.add('net.socket', texts.length > 0 ? 'code' : 'likely', site, [name, ...texts.slice(0, 1)].join(' '))
  if (texts.flatMap(findHosts).length === 0) run.findings.addOpaque(UNRESOLVED.address, site)
  for (const text of texts) run.findings.addHosts(text, site.line, true)
  run.findings.addPlayerData(originOf(url), 'code', site, name)
  return results(new Unknown(ORIGIN.network, undefined, 'socket', texts[0]))
}

function decodeBase64(value: Value): Value {
  if (typeof value !== 'string') return new Unknown(originOf(value), undefined, 'decoder')
  return Buffer.from(value, 'base64').toString('latin1')
}

function callKnown(run: Run, path: string, args: Results, site: Site): Results {
  const rule = findRule(path)
  run.hasWaited = true
  const isHanded = args.values.some((value) => originOf(value) & ORIGIN.hidden)
  if (isHanded && !INERT.test(path)) run.findings.addOpaque(UNRESOLVED.handed, site)
  for (const value of args.values) {
    run.useElsewhere(value)
    run.findings.recordArgument(value, site.line)
  }
  if (rule?.capability) {
    const [text] = textsOf(resultAt(args, 0))
    run.findings.add(rule.capability, 'code', site, text === undefined ? path : `${path} ${text}`)
    if (rule.capability === 'fs.write' && textsOf(resultAt(args, 0)).some((name) => /autoexec/i.test(name))) {
      run.findings.add('code.persist', 'code', site, `${path} ${text ?? ''}`)
    }
  }
  if (path === 'loadfile' || path === 'dofile') {
    const isDownload = (originOf(readFile(run, resultAt(args, 0))) & ORIGIN.network) !== 0
    if (isDownload) run.findings.add('code.remote', 'code', site, `${path} of a download`)
    else run.findings.add('code.dynamic', 'code', site, `${path} of a file`)
    return unknownResults()
  }
  if (path === 'writefile' || path === 'appendfile') writeFile(run, resultAt(args, 0), resultAt(args, 1))
  if (rule?.capability === 'user.clipboard') run.clipboard = join(run.clipboard, resultAt(args, 0))
  if (path === 'getclipboard') return results(new Unknown(ORIGIN.clipboard | originOf(run.clipboard), undefined, path))
  if (path === 'readfile') return results(readFile(run, resultAt(args, 0)))
  if (rule?.origin !== undefined) return results(new Unknown(rule.origin, undefined, path))
  const origin = originsOf(args.values) | (GIVES_FUNCTIONS.test(path) ? ORIGIN.hidden : 0)
  return unknownResults(new Unknown(origin, undefined, path))
}

/** Functions that only look at the functions that they get. */
const INERT =
  /closure|^is|^check|^compare|^debug\.(?:get|info|is)|^get|^raw|^hook|^restore|^type|^collect|^set(?:readonly|identity|thread)|^make/
/** Functions whose results may be any function of the game or of the script. */
const GIVES_FUNCTIONS =
  /^(?:getgc|get_gc_objects|getgarbagecollector|filtergc|getreg|getregistry|getsenv|getmenv|gettenv|getconnections|get_signal_cons|getcallbackvalue|getrawmetatable|getscriptclosure|getscriptfunction|(?:debug\.)?get(?:upvalues?|constants?|protos?|stack|registry|metatable|connections))$/

function writeFile(run: Run, name: Value, content: Value): void {
  run.anyFile = join(run.anyFile, content)
  for (const file of optionsOf(name)) {
    if (typeof file === 'string') run.files.set(file, join(run.files.get(file) ?? content, content))
  }
}

/** Reads a file: its origins are those of what the script has written to it. */
function readFile(run: Run, name: Value): Value {
  const known = typeof name === 'string' ? run.files.get(name) : run.anyFile
  return new Unknown(ORIGIN.file | originOf(known ?? null), undefined, 'readfile')
}

const load: LibraryFunction = (run, args, site) => results(runLoad(run, resultAt(args, 0), site))

/** Runs text: constant text is followed, text from the network or from elsewhere is a finding. */
function runLoad(run: Run, code: Value, site: Site): Value {
  const loaded: Value[] = optionsOf(code).flatMap((option): Value[] => {
    if (option === null) return []
    if (typeof option === 'string') return [loadText(run, option, site) ?? new Unknown(0, undefined, 'loaded')]
    const origin = originOf(option)
    const source = option instanceof Unknown ? option.source : undefined
    if (origin & ORIGIN.network)
      run.findings.add('code.remote', 'code', site, ['loadstring of a download', source].filter(Boolean).join(': '))
    else if (origin & ORIGIN.file) run.findings.add('code.dynamic', 'code', site, 'loadstring of a file')
    else {
      const isMade =
        option instanceof Unknown &&
        (option.madeBy === 'decoder' || option.madeBy === 'text' || option.parts !== undefined)
      // What a loop that was cut makes may be constant text.
      const isCut = run.isExhausted && option instanceof Unknown && (option.parts?.[0] ?? '') !== ''
      if (!isCut)
        run.findings.add('code.dynamic', isMade ? 'code' : 'likely', site, 'loadstring of text that is put together')
      run.findings.addOpaque(OPAQUE.dynamic, site)
    }
    if (origin & ORIGIN.network) run.findings.addOpaque(OPAQUE.downloaded, site)
    return [new Unknown(0, undefined, 'loaded')]
  })
  return loaded.length > 0 ? loaded.reduce(join) : UNKNOWN
}

const first: LibraryFunction = (_run, args) => results(resultAt(args, 0))
const nothing: LibraryFunction = () => results()
const environment: LibraryFunction = (run) => results(run.environment)
const forEach: LibraryFunction = (run, args, site) => {
  const [table = null, fn = null] = args.values
  if (!(table instanceof Table)) {
    run.call(fn, unknownResults(new Unknown(originOf(table))), site)
    return unknownResults()
  }
  if (table instanceof Environment) {
    return results(resultAt(run.call(fn, results(UNKNOWN, new Unknown(ORIGIN.hidden)), site), 0))
  }
  const entries = [...table.entries].slice(0, MAX_FOR_EACH)
  const returned = entries.map(([key, value]) => resultAt(run.call(fn, results(key as Value, value), site), 0))
  if (table.other !== undefined) returned.push(resultAt(run.call(fn, results(UNKNOWN, table.other), site), 0))
  return results(returned.reduce(join, null))
}
const MAX_FOR_EACH = 5000

const typeNames = (value: Value): string | undefined => {
  if (value === null) return 'nil'
  if (typeof value !== 'object') return typeof value
  if (value instanceof Table) return 'table'
  return value instanceof Closure ? 'function' : undefined
}

const typeOf: LibraryFunction = (run, args) => {
  const value = resultAt(args, 0)
  if (!isConstant(value)) run.truth(value)
  return results(typeNames(value) ?? UNKNOWN)
}

/** The metatable of texts. */
const STRING_METATABLE = new Table()
STRING_METATABLE.entries.set('__index', new Library('string'))

/** A metatable that a branch sets does not replace the one of another branch. */
function setMetatable(run: Run, table: Value, metatable: Value): void {
  if (!(table instanceof Table)) return
  for (const option of optionsOf(metatable)) {
    if (!(option instanceof Table)) continue
    if (!table.metatable || (run.state.branch === undefined && option === metatable)) table.metatable = option
    else if (table.metatable !== option) {
      const both = new Table()
      for (const [key, value] of [...table.metatable.entries, ...option.entries])
        both.entries.set(key, join(both.entries.get(key) ?? value, value))
      table.metatable = both
    }
  }
}

const OWN: Record<string, LibraryFunction> = {
  loadstring: load,
  load,
  getgenv: (run, args, site) => {
    recordExecutor(run, new Library('getgenv'), site)
    return environment(run, args, site)
  },
  getrenv: (run, args, site) => {
    recordExecutor(run, new Library('getrenv'), site)
    return environment(run, args, site)
  },
  getfenv: environment,
  setfenv: (run, args, site) => {
    for (const table of optionsOf(resultAt(args, 1)))
      if (table instanceof Table && table !== run.environment) run.environments.push(table)
    return first(run, args, site)
  },
  cloneref: (run, args, site) => {
    recordExecutor(run, new Library('cloneref'), site)
    return first(run, args, site)
  },
  ...HOOKS,
  ...SCHEDULING,
  print: nothing,
  warn: nothing,
  type: typeOf,
  typeof: typeOf,
  require: (run, args, site) => {
    const target = resultAt(args, 0)
    for (const option of optionsOf(target)) {
      if (typeof option === 'number') run.findings.add('code.asset', 'code', site, `require(${option})`)
      else if (option instanceof Unknown && option.origin & ORIGIN.network) {
        run.findings.add('code.remote', 'code', site, 'require of a download')
      }
    }
    return unknownResults()
  },
  select: (_run, { values: [position = null, ...values], rest }) => {
    if (position === '#') return results(rest === undefined ? values.length : UNKNOWN)
    if (typeof position === 'number' && position > 0) return { values: values.slice(position - 1), rest }
    if (typeof position === 'number' && rest === undefined) return results(...values.slice(position))
    const any = [...values, ...(rest === undefined ? [] : [rest])].reduce<Value>(join, null)
    return { values: [any], rest: any }
  },
  next: (run, args) => {
    const table = resultAt(args, 0)
    if (!(table instanceof Table)) return unknownResults(new Unknown(originOf(table)))
    const [entry] = table.entries
    if (args.values.length > 1 || table.other !== undefined) return results(UNKNOWN, run.index(table, new Unknown()))
    return entry ? results(entry[0] as Value, entry[1]) : results(null)
  },
  pairs: (_run, args) => results(new Library('next'), resultAt(args, 0), null),
  ipairs: (_run, args) => results(new Library('ipairs.next'), resultAt(args, 0), 0),
  rawget: (run, args) => results(run.index(resultAt(args, 0), resultAt(args, 1))),
  rawset: (run, args, site) => {
    const [table, key, value = null] = args.values
    if (table instanceof Table && key !== undefined) writeRaw(run, table, key, value)
    else if (table !== undefined && key !== undefined) run.setIndex(table, key, value, site.line)
    return first(run, args, site)
  },
  rawlen: (_run, args) => {
    const table = resultAt(args, 0)
    return results(table instanceof Table && table.other === undefined ? table.length : UNKNOWN)
  },
  setmetatable: (run, args) => {
    const [table, metatable] = args.values
    if (metatable !== undefined) for (const option of optionsOf(table ?? null)) setMetatable(run, option, metatable)
    return results(table ?? null)
  },
  getmetatable: (_run, args) => {
    const value = resultAt(args, 0)
    if (typeof value === 'string') return results(STRING_METATABLE)
    return results(value instanceof Table ? (value.metatable ?? null) : new Unknown(originOf(value)))
  },
  newproxy: () => {
    const proxy = new Table()
    proxy.metatable = new Table()
    return results(proxy)
  },
  ...TABLE_FUNCTIONS,
  ...BUFFER_FUNCTIONS,
  'table.foreach': forEach,
  'table.foreachi': forEach,
  'string.gsub': substitute,
  'string.gmatch': gmatch,
  'Instance.new': (run, args) => {
    const className = resultAt(args, 0)
    if (className === 'TextBox') run.findings.recordPrompt()
    return results(
      new Instance(
        typeof className === 'string' ? className : 'Instance',
        typeof className === 'string' ? className : 'Instance',
      ),
    )
  },
}
