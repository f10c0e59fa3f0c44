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
import { writeRaw } from './indexing.ts'
import type { Interpreter } from './interpreter.ts'
import { type Results, resultAt, results, unknownResults } from './results.ts'
import { loadText } from './loading.ts'
import { BUFFER_FUNCTIONS, gmatch, type LibraryFunction, substitute, TABLE_FUNCTIONS } from './tables-and-texts.ts'
import { PatternError } from './patterns.ts'
import { PURE } from './pure.ts'
import { readUrl, receiveResponse, sendRequest } from './requests.ts'
import {
  Closure,
  Instance,
  isConstant,
  join,
  Library,
  optionsOf,
  ORIGIN,
  originOf,
  Table,
  textsOf,
  Unknown,
  UNKNOWN,
  type Value,
} from './values.ts'

export function callLibrary(run: Interpreter, library: Library, args: Results, site: Site): Results {
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

function recordExecutor(run: Interpreter, { path }: Library, site: Site): void {
  if (!findRule(path)?.isExecutor || run.attempts > 0 || run.tested.has(path)) return
  const table = path.split('.')[0] ?? ''
  if (table !== path && table !== 'debug' && run.tested.has(table)) return
  run.findings.add('needs.executor', 'code', site, path)
}

/** Functions that may build a hidden text from parts. */
const DECODING = new Set(['string.char', 'string.reverse', 'string.format', 'table.concat'])

function callPure(run: Interpreter, pure: (typeof PURE)[string], args: Results, path: string, site: Site): Results {
  let known: Value[] | undefined
  try {
    known = args.rest === undefined ? pure?.(args.values) : undefined
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
  }
  if (known) {
    for (const value of known) {
      if (typeof value !== 'string') continue
      run.addWork(value.length / 50)
      if (DECODING.has(path)) run.findings.recordText(value, site.line)
    }
    return { values: known, rest: undefined }
  }
  const origin = args.values.reduce((bits: number, value) => bits | originOf(value), 0)
  const isText = path.startsWith('string.') || path === 'tostring' || path === 'table.concat'
  const value = new Unknown(origin, undefined, isText ? 'text' : '', sourceOf(args))
  // Functions that only cut text or change its case keep its known parts.
  const [first] = args.values
  const describe =
    path === 'tostring' && first instanceof Table ? first.metatable?.entries.get('__tostring') : undefined
  if (describe instanceof Closure) return run.call(describe, args, site)
  if (path === 'tostring' && first !== undefined) return results(first instanceof Unknown ? first : value)
  return unknownResults(value)
}

const sourceOf = (args: Results): string | undefined =>
  args.values
    .map((value) => (value instanceof Unknown ? value.source : undefined))
    .find((source) => source !== undefined)

function openSocket(run: Interpreter, url: Value, site: Site, name: string): Results {
  const texts = textsOf(url)
  run.findings.add('net.socket', texts.length > 0 ? 'code' : 'likely', site, [name, ...texts.slice(0, 1)].join(' '))
  for (const text of texts) run.findings.addHosts(text, site.line)
  run.findings.addPlayerData(originOf(url), 'code', site, name)
  return results(new Unknown(ORIGIN.network, undefined, 'socket', texts[0]))
}

function decodeBase64(value: Value): Value {
  if (typeof value !== 'string') return new Unknown(originOf(value), undefined, 'decoder')
  return Buffer.from(value, 'base64').toString('latin1')
}

function callKnown(run: Interpreter, path: string, args: Results, site: Site): Results {
  const rule = findRule(path)
  run.hasWaited = true
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
  if (path === 'readfile') return results(readFile(run, resultAt(args, 0)))
  if (rule?.origin !== undefined) return results(new Unknown(rule.origin, undefined, path))
  const origin = args.values.reduce((bits: number, value) => bits | originOf(value), 0)
  return unknownResults(new Unknown(origin, undefined, path))
}

function writeFile(run: Interpreter, name: Value, content: Value): void {
  run.anyFile = join(run.anyFile, content)
  for (const file of optionsOf(name)) {
    if (typeof file === 'string') run.files.set(file, join(run.files.get(file) ?? content, content))
  }
}

/** Reads a file: its origins are those of what the script has written to it. */
function readFile(run: Interpreter, name: Value): Value {
  const known = typeof name === 'string' ? run.files.get(name) : run.anyFile
  return new Unknown(ORIGIN.file | originOf(known ?? null), undefined, 'readfile')
}

const load: LibraryFunction = (run, args, site) => results(runLoad(run, resultAt(args, 0), site))

/** Runs text: constant text is followed, text from the network or from elsewhere is a finding. */
function runLoad(run: Interpreter, code: Value, site: Site): Value {
  const loaded: Value[] = optionsOf(code).flatMap((option): Value[] => {
    if (option === null) return []
    if (typeof option === 'string') return [loadText(run, option, site) ?? UNKNOWN]
    const origin = originOf(option)
    const source = option instanceof Unknown ? option.source : undefined
    if (origin & ORIGIN.network)
      run.findings.add('code.remote', 'code', site, ['loadstring of a download', source].filter(Boolean).join(': '))
    else if (origin & ORIGIN.file) run.findings.add('code.dynamic', 'code', site, 'loadstring of a file')
    else {
      const isMade =
        option instanceof Unknown && (option.made === 'decoder' || option.made === 'text' || option.parts !== undefined)
      run.findings.add('code.dynamic', isMade ? 'code' : 'likely', site, 'loadstring of text that is put together')
      run.findings.addOpaque(OPAQUE.dynamic)
    }
    if (origin & ORIGIN.network) run.findings.addOpaque(OPAQUE.downloaded)
    return [new Unknown(0, undefined, 'loaded')]
  })
  return loaded[0] ?? UNKNOWN
}

const first: LibraryFunction = (_run, args) => results(resultAt(args, 0))
const nothing: LibraryFunction = () => results()
const environment: LibraryFunction = (run) => results(run.environment)
const waits: LibraryFunction = (run) => {
  run.hasWaited = true
  return unknownResults()
}

/** The values that a coroutine yields are returned by the call that resumes it. */
const yields: LibraryFunction = (run, args, site) => {
  run.yielded.at(-1)?.push(args)
  return waits(run, args, site)
}

const forEach: LibraryFunction = (run, args, site) => {
  const [table, fn = null] = args.values
  if (!(table instanceof Table)) {
    run.useElsewhere(fn)
    return unknownResults()
  }
  for (const [key, value] of [...table.entries].slice(0, MAX_FOR_EACH)) run.call(fn, results(key as Value, value), site)
  return unknownResults()
}
const MAX_FOR_EACH = 5000

const callFirst: LibraryFunction = (run, args, site) => {
  const callee = resultAt(args, 0)
  run.truth(callee)
  return run.call(callee, { values: args.values.slice(1), rest: args.rest }, site)
}

const protectedCall: LibraryFunction = (run, args, site) => {
  const { values, rest } = callFirst(run, args, site)
  return { values: [UNKNOWN, ...values], rest }
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

const later =
  (position: number): LibraryFunction =>
  (run, args) => {
    const callee = resultAt(args, position)
    const rest = { values: args.values.slice(position + 1), rest: UNKNOWN }
    for (const option of optionsOf(callee)) if (option instanceof Closure) run.defer(option, rest)
    run.hasWaited = true
    return unknownResults()
  }

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
  setfenv: first,
  cloneref: (run, args, site) => {
    recordExecutor(run, new Library('cloneref'), site)
    return first(run, args, site)
  },
  clonefunction: (run, args, site) => {
    recordExecutor(run, new Library('clonefunction'), site)
    return first(run, args, site)
  },
  newcclosure: (run, args, site) => {
    recordExecutor(run, new Library('newcclosure'), site)
    run.findings.add('client.hook', 'code', site, 'newcclosure')
    return first(run, args, site)
  },
  pcall: attempt,
  ypcall: attempt,
  xpcall: (run, args, site) => {
    run.useElsewhere(resultAt(args, 1))
    return attempt(run, { values: [resultAt(args, 0), ...args.values.slice(2)], rest: args.rest }, site)
  },
  spawn: later(0),
  Spawn: later(0),
  delay: later(1),
  Delay: later(1),
  'task.spawn': later(0),
  'task.defer': later(0),
  'task.delay': later(1),
  'coroutine.create': first,
  'coroutine.wrap': first,
  'coroutine.resume': protectedCall,
  'coroutine.yield': yields,
  wait: waits,
  Wait: waits,
  'task.wait': waits,
  print: nothing,
  warn: nothing,
  error: nothing,
  assert: (run, args) => {
    run.truth(resultAt(args, 0))
    return args
  },
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
  select: (_run, args) => {
    const position = resultAt(args, 0)
    if (position === '#' && args.rest === undefined) return results(args.values.length - 1)
    if (typeof position !== 'number' || position < 1) return unknownResults()
    return { values: args.values.slice(position), rest: args.rest }
  },
  next: (_run, args) => {
    const table = resultAt(args, 0)
    if (!(table instanceof Table) || table.other !== undefined || args.values.length > 1) return unknownResults()
    const [entry] = table.entries
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
  setmetatable: (_run, args) => {
    const [table, metatable] = args.values
    if (table instanceof Table && metatable instanceof Table) table.metatable = metatable
    return results(table ?? null)
  },
  getmetatable: (_run, args) => {
    const table = resultAt(args, 0)
    return results(table instanceof Table ? (table.metatable ?? null) : UNKNOWN)
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
        typeof className === 'string' ? className : '',
        typeof className === 'string' ? className : 'Instance',
      ),
    )
  },
}
