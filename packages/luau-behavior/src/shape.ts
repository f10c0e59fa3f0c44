// How a script is written: obfuscated, minified or neither. Thresholds come from measuring readable and obfuscated scripts.
import type { Token } from './lexer.ts'

export interface Shape {
  /** The name of the obfuscator, if its mark is known; `unknown` if the code only looks obfuscated. */
  obfuscator: string | undefined
  isMinified: boolean
}

const MARKS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/luraph(?:\.net| obfuscator| \d| v\d)|lura\.ph|LPH[!|+][0-9A-F]{8}|\bLPH_\w+\s*=/i, 'Luraph'],
  [/moonsec|MoonSec_?V?3|federal(?:\s*#|\s*\d{4})/i, 'MoonSec'],
  [/ironbrew|IB2|iron brew/i, 'IronBrew'],
  [/synapse xen|This file was protected using.*Xen|https:\/\/synapse-xen/i, 'Synapse Xen'],
  [
    /prometheus (?:obfuscator|by)|obfuscated (?:with|by|using) prometheus|github\.com\/(?:levno-710|prometheus-lua)\/Prometheus/i,
    'Prometheus',
  ],
  [/\bPSU\b.{0,40}obfuscat|obfuscat.{0,60}\bPSU\b|psu\.dev/i, 'PSU'],
  [/aztupbrew|aztup(?:'s)? brew/i, 'AztupBrew'],
  [/boronide/i, 'Boronide'],
  [/wearedevs\.net\/obfuscator|obfuscator.{0,20}wearedevs/i, 'WeAreDevs'],
  [/luaobfuscator\.com|LuaObfuscator/i, 'LuaObfuscator'],
  [/luarmor\.net.{0,80}obfuscat|Luarmor V\d.{0,40}(?:obfuscat|protected)/i, 'Luarmor'],
  [/hercules (?:obfuscator|v\d)/i, 'Hercules'],
  [/obfuscated (?:with|by|using) (?!a\b|the\b|an\b)([a-z][\w .-]{2,30})/i, ''],
]

/** Forms that only one obfuscator writes. */
const FORMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/^\s*return\s*\(function\(\.\.\.\)\s*local \w+=\{"[^]*\bipairs\(\{\{-?\d+[;,]/, 'Prometheus'],
  [/\bSynapseXen_[Il1i]{4}/, 'Synapse Xen'],
  [
    /=\s*string\.byte;\s*local \w+\s*=\s*string\.char;\s*local \w+\s*=\s*string\.sub;[^]{0,120}=\s*math\.ldexp;[^]{0,120}getfenv or function\(\)\s*return _ENV/,
    'IronBrew',
  ],
  [/\bsyn\.run_secure_function\b|\brun_secure_function\s*\(/, 'Synapse'],
]

const HEAD = 600
const MAX_FORM = 20_000
const MIN_LENGTH = 200

/** Shannon entropy of a text, in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/** Measures a script. Marks count only where the code looks obfuscated too, so a comment about a tool does not. */
export function measureShape(source: string, tokens: readonly Token[]): Shape {
  if (source.length < MIN_LENGTH) return { obfuscator: undefined, isMinified: false }
  const features = measure(source, tokens)
  const head = source.slice(0, HEAD) + source.slice(-HEAD)
  const form = FORMS.find(([pattern]) => pattern.test(source.slice(0, MAX_FORM)))
  if (form) return { obfuscator: form[1], isMinified: false }
  const mark = MARKS.find(([pattern]) => pattern.test(head))
  const name = mark && (mark[1] || mark[0].exec(head)?.[1]?.trim() || 'unknown')
  const isOpaque = looksObfuscated(features)
  const isDense = features.tokensPerLine > 40
  if (isOpaque || (name !== undefined && isDense)) return { obfuscator: name ?? 'unknown', isMinified: false }
  return { obfuscator: undefined, isMinified: looksMinified(features) }
}

/** Whether a text is neither words nor a path: Base64, or bytes. */
function looksEncoded(text: string): boolean {
  const bytes = text.match(/(?!\s)[\p{Cc}]/gu)?.length ?? 0
  if (bytes > 0) return bytes / text.length > 0.1
  if (!/^[A-Za-z\d+/_-]+={0,2}$/.test(text)) return false
  if (text.endsWith('=')) return true
  const switches = text.match(/[a-z][A-Z]|[A-Z][A-Z][a-z]|[a-z]\d|\d[a-zA-Z]/g)?.length ?? 0
  return switches / text.length > 0.3
}

/** Whether a long text is neither prose, with its spaces, nor code. */
function isPayload(text: string): boolean {
  const spaces = text.match(/[ \n\t]/g)?.length ?? 0
  return spaces / Math.max(1, text.length) < 0.04 && !/\blocal \w+ ?=|\bfunction\b|Instance\.new/.test(text)
}

const CONFUSING_NAME = /^(?=.{6})(?=.*[Il1i])(?:\w*_)?[Il1iLO0_]{5,}$|[Il1i]{10,}$|^_*0x[\da-f]{3,}$/i

/** Names that obfuscators and decompilers number. */
const EMPTY_NAME = /^[A-Za-z]{1,2}_?\d+_?$/

const COMPARISONS = new Set(['<', '>', '<=', '>=', '==', '~='])

/** Whether a number is a key, in brackets or not: `a[17]`, `a[(17)]`. */
function isKey(tokens: readonly Token[], index: number): boolean {
  let before = index - 1
  while (tokens[before]?.text === '(') before--
  return tokens[before]?.text === '['
}

interface Features {
  length: number
  maxTextLength: number
  /** Bits per character of the longest text. */
  entropy: number
  isPayload: boolean
  /** Share of the script that is text. */
  textShare: number
  /** Escapes such as `\\104` per 100 characters. */
  escapes: number
  /** Share of names that are confusing, such as `IlIlI`. */
  confusingNames: number
  /** Share of names with at most two characters. */
  shortNames: number
  /** Share of the uses of names that say nothing, such as `a`, `x1` or `L_12_`. */
  emptyNames: number
  /** Whether names that say nothing are often compared with numbers, as where instructions are chosen. */
  hasDispatch: boolean
  /** Numbers that are keys, such as in `a[17]`, per 1,000 tokens. */
  numericKeys: number
  /** Share of tokens that are numbers. */
  numbers: number
  tokensPerLine: number
  /** Names and keywords a line, and all of them. */
  wordsPerLine: number
  words: number
  /** Share of texts of at least 6 characters that look encoded, and their number. */
  encodedTexts: number
  longTexts: number
  /** Whether the script takes texts apart into bytes or numbers, as a decoder does. */
  hasDecoder: boolean
  tokens: number
}

function measure(source: string, tokens: readonly Token[]): Features {
  const names = new Set<string>()
  let [words, longTexts, encodedTexts, nameUses, emptyUses, numericKeys, comparisons] = [0, 0, 0, 0, 0, 0, 0]
  let [maxText, texts, escapes, numbers, lines, line] = ['', 0, 0, 0, 0, 0]
  for (const [index, token] of tokens.entries()) {
    if (token.line !== line) lines++
    line = token.line
    if (token.kind === 'name' || token.kind === 'keyword') words++
    if (token.kind === 'name') {
      names.add(token.text)
      nameUses++
      if (token.text.length <= 2 || EMPTY_NAME.test(token.text)) emptyUses++
    } else if (token.kind === 'number') {
      numbers++
      if (isKey(tokens, index)) numericKeys++
      if (COMPARISONS.has(tokens[index - 1]?.text ?? '')) comparisons++
    } else if (token.kind === 'string' || token.kind.startsWith('interpolation')) {
      texts += token.raw.length
      if (token.text.length >= 6) {
        longTexts++
        if (looksEncoded(token.text)) encodedTexts++
      }
      if (token.raw.includes('\\')) escapes += token.raw.match(/\\(?:\d{1,3}|x[0-9a-fA-F]{2})/g)?.length ?? 0
      if (token.raw.length > maxText.length) maxText = token.raw
    }
  }
  const share = (test: (name: string) => boolean) => [...names].filter(test).length / Math.max(1, names.size)
  return {
    length: source.length,
    maxTextLength: maxText.length,
    entropy: entropy(maxText.slice(0, 4_000)),
    isPayload: isPayload(maxText),
    textShare: texts / source.length,
    escapes: escapes / Math.max(1, source.length / 100),
    confusingNames: share((name) => CONFUSING_NAME.test(name)),
    shortNames: share((name) => name.length <= 2),
    emptyNames: emptyUses / Math.max(1, nameUses),
    hasDispatch: comparisons > 10,
    numericKeys: numericKeys / Math.max(1, tokens.length / 1000),
    numbers: numbers / Math.max(1, tokens.length),
    tokensPerLine: tokens.length / Math.max(1, lines),
    tokens: tokens.length,
    wordsPerLine: words / Math.max(1, lines),
    words,
    longTexts,
    encodedTexts: encodedTexts / Math.max(1, longTexts),
    hasDecoder: ['byte', 'char', 'bxor'].filter((name) => names.has(name)).length > 1,
  }
}

function looksObfuscated(of: Features): boolean {
  return (
    (of.maxTextLength > 2_000 && of.entropy > 4.6 && of.tokensPerLine > 60 && of.isPayload) ||
    (of.confusingNames > 0.25 && of.tokens > 60) ||
    (of.textShare > 0.9 && of.maxTextLength > 2_000 && of.entropy > 5.2 && of.isPayload) ||
    (of.escapes > 4 && of.length > 1_500) ||
    // A virtual machine: its registers and instructions are tables with numeric keys, and no name says anything.
    (of.emptyNames > 0.93 && of.numericKeys > 10 && of.tokens > 600) ||
    // A small one with its instructions in a text or in a table of numbers.
    (of.emptyNames > 0.9 && of.textShare > 0.6 && of.maxTextLength > 2_000 && of.isPayload && of.tokensPerLine > 60) ||
    (of.emptyNames > 0.9 && of.numbers > 0.4 && of.tokens > 1_000 && of.hasDispatch) ||
    (of.tokensPerLine > 400 && of.shortNames > 0.6 && of.length > 4_000 && of.numbers > 0.12) ||
    (of.longTexts > 24 && of.encodedTexts > 0.6 && of.wordsPerLine > 30) ||
    (of.numbers > 0.3 && of.wordsPerLine > 25 && of.shortNames > 0.4 && of.hasDecoder) ||
    (of.textShare > 0.6 && of.maxTextLength > 4_000 && of.entropy > 4.2 && of.tokensPerLine > 20 && of.isPayload)
  )
}

const looksMinified = (of: Features): boolean => of.wordsPerLine > 20 && of.words > 90
