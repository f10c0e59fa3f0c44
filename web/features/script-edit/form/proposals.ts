// What the form proposes from the code and its file. A proposal never replaces what the author wrote.
import { cutCharacters } from '@scriptyard/text'
import { useState } from 'react'
import { MAX_TITLE_LENGTH } from '#contract/limits.ts'
import type { ScriptType } from '#contract/script-kinds.ts'
import type { ScriptValues } from './values.ts'

export interface CodeSource {
  code: string
  /** Undefined if the code was typed or pasted. */
  fileName?: string | undefined
}

/** Fields that are filled in, by name. Empty where nothing is proposed. */
export type Proposals = Pick<ScriptValues, 'title' | 'script_type'>
export type ProposedField = keyof Proposals

export const NO_PROPOSALS: Proposals = { title: '', script_type: '' }
const FIELDS: readonly ProposedField[] = ['title', 'script_type']

export function propose({ code, fileName = '' }: CodeSource): Proposals {
  return { title: proposeTitle(fileName), script_type: proposeScriptType({ code, fileName }) ?? '' }
}

/** The proposed values of the fields that are empty or still have the former proposal. */
export function applyProposals(values: ScriptValues, before: Proposals, next: Proposals): Partial<ScriptValues> {
  const open = FIELDS.filter((name) => values[name] === before[name])
  return Object.fromEntries(open.map((name) => [name, next[name]]))
}

/** The fields whose value is the proposal. */
export const proposedFields = (values: ScriptValues, proposals: Proposals): ReadonlySet<string> =>
  new Set(FIELDS.filter((name) => proposals[name] !== '' && values[name] === proposals[name]))

/** Names of files that say nothing about the script. */
const GENERIC_NAME =
  /^(?:a|code|copy|example|file|init|index|lib|local ?script|luau?|main|module|module ?script|new|output|paste|script|source|src|temp|test|text|tmp|unnamed|untitled)$/i

/**
 * A title from the name of a file; empty if the name says nothing.
 *
 *     proposeTitle('coinCounter.client.luau') // 'Coin Counter'
 *     proposeTitle('script (1).lua') // ''
 */
export function proposeTitle(fileName: string): string {
  const name = fileName
    .replace(/\.(?:luau?|txt)$/i, '')
    .replace(/\.(?:client|server|module|min)$/i, '')
    .replace(/\s*\(\d+\)$/, '')
  const words = splitWords(name)
  if (words.length === 0 || GENERIC_NAME.test(words.join(' '))) return ''
  const title = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  return cutCharacters(title, MAX_TITLE_LENGTH).trim()
}

/** The words of a name in camel case, snake case or with hyphens. */
function splitWords(name: string): string[] {
  return name
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ')
    .split(/[\s._-]+/)
    .filter((word) => /[\p{L}\d]/u.test(word))
}

/** Longer code is read up to here. */
const MAX_READ = 200_000
const COMMENT = /--\[(=*)\[(?:[\s\S]*?\]\1\]|[\s\S]*$)|--[^\n]*/g
/** Starts a statement in the first column, unlike the other lines of a block or a table. */
const STATEMENT = /^(?!end\b)[^\s})\]]/
const CLIENT =
  /\bLocalPlayer\b|\bPlayerGui\b|\bOnClientEvent\b|\bFireServer\b|\bInvokeServer\b|\bUserInputService\b|\bContextActionService\b|\bRenderStepped\b|\bCurrentCamera\b|\bHttpGet\b|\bgetgenv\b/
const SERVER =
  /\bOnServerEvent\b|\bOnServerInvoke\b|\bFireClient\b|\bFireAllClients\b|\bDataStoreService\b|\bServerStorage\b|\bServerScriptService\b|\bPlayerAdded\b|\bMessagingService\b/

/** The type that the name of the file or the code shows; undefined if neither does. */
export function proposeScriptType({ code, fileName = '' }: CodeSource): ScriptType | undefined {
  if (/\.client\.luau?$/i.test(fileName)) return 'LocalScript'
  if (/\.server\.luau?$/i.test(fileName)) return 'Script'
  const text = code.slice(0, MAX_READ).replaceAll(/\r\n?/g, '\n').replaceAll(COMMENT, '').trimEnd()
  const last = text.split('\n').findLast((line) => STATEMENT.test(line)) ?? ''
  if (/^return\b/.test(last)) return 'ModuleScript'
  const [isClient, isServer] = [CLIENT.test(text), SERVER.test(text)]
  if (isClient === isServer) return undefined
  return isClient ? 'LocalScript' : 'Script'
}

const MAX_PROPOSED_TAGS = 5
/** A word of the title counts as often as this many in the code. */
const TITLE_WEIGHT = 5
const MIN_SCORE = 2

/** Words of the language that say nothing about a script. */
const SYNTAX = new Set(['end', 'function', 'game', 'local', 'script', 'service', 'workspace'])

const stem = (word: string) => word.toLowerCase().replace(/(?<=..)s$/, '')

const stemsOf = (text: string): string[] =>
  (text.match(/[\p{L}\d_]+/gu) ?? []).flatMap((name) => splitWords(name).map(stem))

/** Tags of the site whose words are in the title, or more than once in the code; the best first. */
export function proposeTags(names: readonly string[], title: string, code: string): string[] {
  if (code.trim() === '') return []
  const counts = new Map<string, number>()
  const add = (words: readonly string[], weight: number) => {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight)
  }
  const inCode = stemsOf(code.slice(0, MAX_READ))
  add(
    inCode.filter((word) => !SYNTAX.has(word)),
    1,
  )
  add(stemsOf(title), TITLE_WEIGHT)
  const scoreOf = (name: string) => Math.min(...splitWords(name).map((word) => counts.get(stem(word)) ?? 0))
  return names
    .map((name) => ({ name, score: scoreOf(name) }))
    .filter(({ score }) => score >= MIN_SCORE && Number.isFinite(score))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_PROPOSED_TAGS)
    .map(({ name }) => name)
}

/** Fills in what follows from the code and the name of its file. */
export function useProposals(values: ScriptValues, change: (change: Partial<ScriptValues>) => void) {
  const [fileName, setFileName] = useState<string>()
  const [proposals, setProposals] = useState(NO_PROPOSALS)
  return {
    proposed: proposedFields(values, proposals),
    changeCode: (code: string, newFile?: string) => {
      // Also after the draft was discarded.
      const isNew = values.script_content === ''
      const file = newFile ?? (isNew ? undefined : fileName)
      const next = propose({ code, fileName: file })
      setFileName(file)
      setProposals(next)
      change({ script_content: code, ...applyProposals(values, isNew ? NO_PROPOSALS : proposals, next) })
    },
  }
}
