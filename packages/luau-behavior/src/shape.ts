// How a script is written: obfuscated, minified or neither. Thresholds come from measuring readable and obfuscated scripts.
import type { Token } from 'luau-parser'

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

const HEAD = 600
const MIN_LENGTH = 200

/** Shannon entropy of a text, in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

/**
 * Measures a script. Its tokens are undefined if it cannot be split into tokens. Marks count only where the code looks obfuscated too,
 * so that a comment about a tool does not.
 */
export function measureShape(source: string, tokens: readonly Token[] | undefined): Shape {
  if (source.length < MIN_LENGTH) return { obfuscator: undefined, isMinified: false }
  const features = tokens && measure(source, tokens)
  const head = source.slice(0, HEAD) + source.slice(-HEAD)
  const mark = MARKS.find(([pattern]) => pattern.test(head))
  const name = mark && (mark[1] || mark[0].exec(head)?.[1]?.trim() || 'unknown')
  const isOpaque = features !== undefined && looksObfuscated(features)
  const isDense = features !== undefined && features.tokensPerLine > 40
  if (isOpaque || (name !== undefined && isDense)) return { obfuscator: name ?? 'unknown', isMinified: false }
  return { obfuscator: undefined, isMinified: features !== undefined && looksMinified(features) }
}

interface Features {
  length: number
  maxTextLength: number
  /** Bits per character of the longest text. */
  entropy: number
  /** Share of the script that is text. */
  textShare: number
  /** Escapes such as `\\104` per 100 characters. */
  escapes: number
  /** Share of names that are confusing, such as `IlIlI`. */
  confusingNames: number
  /** Share of names with at most two characters. */
  shortNames: number
  /** Share of tokens that are numbers. */
  numbers: number
  tokensPerLine: number
  tokens: number
}

function measure(source: string, tokens: readonly Token[]): Features {
  const names = new Set<string>()
  let [maxText, texts, escapes, numbers, lines, line] = ['', 0, 0, 0, 0, 0]
  for (const token of tokens) {
    if (token.line.start !== line) lines++
    line = token.line.start
    if (token.type === 'Identifier') names.add(token.value)
    else if (token.type === 'Literal' && token.kind === 'number') numbers++
    else if (token.type === 'Literal' && token.kind === 'string') {
      texts += token.raw.length
      if (token.raw.includes('\\')) escapes += token.raw.match(/\\(?:\d{1,3}|x[0-9a-fA-F]{2})/g)?.length ?? 0
      if (token.raw.length > maxText.length) maxText = token.raw
    }
  }
  const share = (test: (name: string) => boolean) => [...names].filter(test).length / Math.max(1, names.size)
  return {
    length: source.length,
    maxTextLength: maxText.length,
    entropy: entropy(maxText.slice(0, 4_000)),
    textShare: texts / source.length,
    escapes: escapes / Math.max(1, source.length / 100),
    confusingNames: share((name) => name.length > 5 && /^[Il1iLO0_]+$/.test(name)),
    shortNames: share((name) => name.length <= 2),
    numbers: numbers / Math.max(1, tokens.length),
    tokensPerLine: tokens.length / Math.max(1, lines),
    tokens: tokens.length,
  }
}

function looksObfuscated(of: Features): boolean {
  return (
    (of.maxTextLength > 2_000 && of.entropy > 4.6 && of.tokensPerLine > 60) ||
    (of.confusingNames > 0.25 && of.tokens > 60) ||
    (of.escapes > 4 && of.length > 1_500) ||
    (of.tokensPerLine > 400 && of.shortNames > 0.6 && of.length > 4_000 && of.numbers > 0.12) ||
    (of.textShare > 0.6 && of.maxTextLength > 4_000 && of.entropy > 4.2 && of.tokensPerLine > 20)
  )
}

const looksMinified = (of: Features): boolean => of.tokensPerLine > 60 && of.tokens > 150
