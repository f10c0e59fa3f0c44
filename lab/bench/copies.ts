// npm run bench copies -- --repositories DIR
// Measures `hashTokens` on real scripts from public repositories: how many renamed and reformatted copies it finds, and how
// many pairs of different scripts it calls copies.
import { createHash } from 'node:crypto'
import { hashTokens } from '@scriptyard/luau-behavior'
import { type Token, tokenize } from '../../packages/luau-behavior/src/lexer.ts'
import { parse } from '../../packages/luau-behavior/src/parser.ts'
import { readBlob, readGit, readRepositories, type Repository } from './repositories.ts'

const COPIES = 400
const SCRIPTS = 1400
const MIN_LINES = 10
const MAX_BYTES = 1 << 20

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** The scripts of a commit, as text. */
function readScripts(repository: Repository): string[] {
  const entries = readGit(repository, ['ls-tree', '-r', '-l', '-z', repository.commit]).split('\0')
  return entries.flatMap((entry) => {
    const [, blob, size] = /^\d+ blob ([\da-f]+) +(\d+)\t.+\.luau?$/s.exec(entry) ?? []
    const code = blob === undefined || Number(size) > MAX_BYTES ? undefined : readBlob(repository, blob)
    return code === undefined ? [] : [code]
  })
}

/** The tokens of a script that parses, with the numbers of its locals. */
function readTokens(code: string): Token[] | undefined {
  const source = Buffer.from(code, 'utf8').toString('latin1')
  try {
    const tokens = tokenize(source)
    parse(source, tokens)
    return tokens
  } catch {
    return undefined
  }
}

/** The same code with other names of locals, other line breaks and comments. */
function disguise(tokens: readonly Token[]): string {
  const parts = tokens.map(({ raw, local }, index) => {
    const isImplicit = raw === 'self'
    const text = local === undefined || isImplicit ? raw : `renamed_${local % 7}_${local}`
    return `${text}${index % 5 === 0 ? ` -- ${index}\n` : ' '}`
  })
  return Buffer.from(parts.join(''), 'latin1').toString('utf8')
}

/** Another comparison than that of the hash: all tokens in order, and names of locals that correspond one to one. */
function areCopies(one: readonly Token[] | undefined, other: readonly Token[] | undefined): boolean {
  if (!one || !other) return false
  const [first, second] = [one, other].map((tokens) => tokens.filter(({ raw }) => !/^[;,()]$/.test(raw)))
  if (!first || !second || first.length !== second.length) return false
  const names = new Map<string, string>()
  return first.every((token, index) => {
    const match = second[index]
    if (!match || match.kind !== token.kind) return false
    if (token.kind === 'number') return Number(token.text) === Number(match.text) || token.text === match.text
    if (token.kind !== 'name' || token.local === undefined) return token.text === match.text
    const key = `${token.local}`
    if (!names.has(key)) names.set(key, match.text)
    return match.local !== undefined && names.get(key) === match.text
  })
}

const contents = new Map(
  readRepositories('copies.json')
    .flatMap(readScripts)
    .map((code) => [sha256(code), code]),
)
const scripts = [...contents]
  .filter(([, code]) => code.split('\n').length >= MIN_LINES)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .slice(0, SCRIPTS)
  .map(([id, code]) => ({ id, code, hash: hashTokens(code) }))
console.log(`${scripts.length} scripts with different bytes, set ${sha256(scripts.map(({ id }) => id).join('\n'))}`)

let [copies, found] = [0, 0]
for (const { code, hash } of scripts) {
  const tokens = hash === null ? undefined : readTokens(code)
  if (!tokens || copies === COPIES) continue
  copies++
  if (hashTokens(disguise(tokens)) === hash) found++
}
console.log(`renamed and reformatted copies found: ${found} of ${copies} (${(found / copies).toFixed(3)})`)

let [pairs, wrong] = [0, 0]
for (const [hash, group] of Map.groupBy(scripts, (script) => script.hash)) {
  if (hash === null) continue
  for (const [index, one] of group.entries()) {
    for (const other of group.slice(index + 1)) {
      pairs++
      if (areCopies(readTokens(one.code), readTokens(other.code))) continue
      wrong++
      console.log(`not copies: ${one.id} and ${other.id}`)
    }
  }
}
console.log(`pairs of copies: ${pairs}, of which ${wrong} are different code`)
