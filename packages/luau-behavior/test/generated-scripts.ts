// Scripts that do something with data which they take from somewhere, and hide it. Deterministic by their seed.
import type { CapabilityId } from '../src/index.ts'
import { HOOK, PASSAGES, type Sink, SINKS, type Source, SOURCES } from './generated-parts.ts'
import { CHOICES, LOOKUPS_OF_GLOBALS, SPELLINGS, TRICKS } from './generated-tricks.ts'

export interface GeneratedScript {
  name: string
  code: string
  /** What the script does: found, or the card says that something could not be followed. */
  does: CapabilityId[]
}

/** Numbers from 0 to 1 (mulberry32). */
function makeRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const quote = (text: string): string => JSON.stringify(text)
const bytes = (text: string): number[] => [...Buffer.from(text)]

function spell(spelling: string, text: string): string {
  const values: Record<string, string> = {
    K: quote(text),
    N: bytes(text).join(', '),
    R: quote(text.split('').toReversed().join('')),
    X: bytes(text)
      .map((byte) => byte ^ 42)
      .join(', '),
    CHARS: text.split('').map(quote).join(', '),
    LENGTH: String(text.length),
    SORTED: text
      .split('')
      .map((char, index) => `{${index}, ${quote(char)}}`)
      .toReversed()
      .join(', '),
  }
  return spelling.replaceAll(/\b(?:K|N|R|X|CHARS|LENGTH|SORTED)\b(?!")/g, (name) => values[name] ?? name)
}

type Pick = <T>(from: Record<string, T>) => [name: string, value: T]

function capabilitiesOf({ ids, isSending }: Sink, { isPersonal }: Source): CapabilityId[] {
  return isSending && isPersonal ? [...ids, 'net.exfiltration'] : ids
}

/** The data that a script takes from a source, as the variable `d`. */
function readData(pick: Pick): { name: string; source: Source; code: string } {
  const [sourceName, source] = pick(SOURCES)
  const [passageName, passage] = pick(PASSAGES)
  const lines = [source.before, `local d = tostring(${source.value})`, passage.before, `d = ${passage.value}`]
  return {
    name: `${sourceName}, ${passageName}`,
    source,
    code: lines.filter((line) => line !== undefined).join('\n'),
  }
}

/** A function that is chosen, passed on or scheduled. */
function makeChosen(pick: Pick): GeneratedScript {
  const data = readData(pick)
  const [sinkName, sink] = pick(SINKS)
  const [trickName, trick] = pick(TRICKS)
  const [choiceName, choice] = pick(CHOICES)
  const { object = '', method = '' } = sink
  // A method is a function that gets its object first.
  const callee = sink.path ?? `object.${method}`
  const chosen = `local chosen = ${choice.replaceAll(/\bF\b/g, callee)}\n`
  const before = `${sink.path ? '' : `local object = ${object}\n`}${chosen}`
  const isText = trick.includes('loadstring')
  const args = sink.path ? sink.args : `object, ${sink.args}`
  const code = trick
    .replaceAll(/\bF\b/g, 'chosen')
    .replaceAll(/\bA\b/g, () => args)
    .replace('local d = ...', () => `local d = ...\n${before}`)
  return {
    name: `${trickName}; ${choiceName}; ${sinkName}; ${data.name}`,
    code: `${data.code}\n${isText ? '' : before}${code}\n`,
    does: capabilitiesOf(sink, data.source),
  }
}

/** A function whose name is put together. */
function makeSpelled(pick: Pick): GeneratedScript {
  const data = readData(pick)
  const [sinkName, sink] = pick(SINKS)
  const [spellingName, spelling] = pick(SPELLINGS)
  const [lookupName, lookup] = pick(LOOKUPS_OF_GLOBALS)
  const [table, member] = (sink.path ?? '').split('.')
  const callee = sink.path ? `${lookup}${member === undefined ? '' : `.${member}`}` : 'object[s]'
  const lines = [
    data.code,
    ...(sink.path ? [] : [`local object = ${sink.object ?? ''}`]),
    spell(spelling, sink.path ? (table ?? '') : (sink.method ?? '')),
    `if game.PlaceId == 142823291 then ${sink.path ? `local f = ${callee} f(${sink.args})` : `${callee}(object, ${sink.args})`} end`,
  ]
  return {
    name: `${spellingName}; ${sink.path ? lookupName : 'method'}; ${sinkName}; ${data.name}`,
    code: `${lines.join('\n')}\n`,
    does: capabilitiesOf(sink, data.source),
  }
}

/** An address that is put together. */
function makeAddressed(pick: Pick): GeneratedScript {
  const data = readData(pick)
  const [spellingName, spelling] = pick(SPELLINGS)
  const [callName, call] = pick<string>({
    request: 'request({Url = s, Method = "POST", Body = d})',
    'request of a table': 'local o = {} o.Method = "POST" o.Body = d o.Url = s request(o)',
    'request with unknown keys':
      'local o = {} o[({"Url", "url"})[game.PlaceId % 2 + 1]] = s o.Method = "POST" o.Body = d request(o)',
    PostAsync: 'game:GetService("HttpService"):PostAsync(s, d)',
    HttpPost: 'game:HttpPost(s, d)',
  })
  return {
    name: `address: ${spellingName}; ${callName}; ${data.name}`,
    code: `${data.code}\n${spell(spelling, HOOK)}\nif game.PlaceId == 1 then ${call} end\n`,
    does: ['net.send', 'net.webhook', ...(data.source.isPersonal ? (['net.exfiltration'] as const) : [])],
  }
}

/** Code that is put together. */
function makeLoaded(pick: Pick): GeneratedScript {
  const [spellingName, spelling] = pick(SPELLINGS)
  const [sinkName, sink] = pick(SINKS)
  const callee = sink.path ?? `local o = ${sink.object ?? ''} o.${sink.method ?? ''}`
  const text = `local d = "x" ${callee}(${sink.path ? '' : 'o, '}${sink.args})`
  return {
    name: `code: ${spellingName}; ${sinkName}`,
    code: `${spell(spelling, text)}\nif game.PlaceId == 1 then loadstring(s)() end\n`,
    does: sink.ids,
  }
}

const KINDS = [makeChosen, makeChosen, makeChosen, makeSpelled, makeSpelled, makeAddressed, makeLoaded]

/** Distinct scripts, the same for the same seed. */
export function generateScripts(count: number, seed: number): GeneratedScript[] {
  const random = makeRandom(seed)
  const pick: Pick = (from) => {
    const entries = Object.entries(from)
    return entries[Math.floor(random() * entries.length)] as [string, (typeof entries)[number][1]]
  }
  const scripts = new Map<string, GeneratedScript>()
  for (let index = 0; scripts.size < count; index++) {
    const script = (KINDS[index % KINDS.length] ?? makeChosen)(pick)
    scripts.set(script.code, script)
  }
  return [...scripts.values()]
}
