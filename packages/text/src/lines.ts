// Texts of people: one line (titles, names, labels) or several (descriptions, comments).
import { cutCharacters } from './lengths.ts'

/** Any character except spaces and control, format, private-use and default-ignorable characters, and the Braille blank. */
const VISIBLE = /[^\p{C}\p{Z}\p{DI}\u2800]/u

/** Whether a text consists of spaces and invisible characters only. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text)

/** Embeddings, overrides and isolates, which reorder the text around them. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/

export const hasDirectionControls = (text: string): boolean => DIRECTION.test(text)

/** Spaces that are control characters or separators, as office programs write them. */
const LINE_SPACE = /\r\n|[\t\n\v\f\r\u2028\u2029]/g
/** Line breaks other than \n. */
const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g
/** C1 control characters. Programs write them for bytes of Windows-1252 that they took for ISO 8859-1. */
const C1 = /[\u0080-\u009F]/g

const LINE_CONTROL = /[^\P{Cc}\t\n\v\f\r]/u
const TEXT_CONTROL = /[^\P{Cc}\t\n\v\f\r\u0080-\u009F]/u

/** Where a text has its first control character that is not normalized, with line and column from 1; undefined without one. */
export function positionOfControl(text: string, kind: 'line' | 'text'): string | undefined {
  const index = text.search(kind === 'line' ? LINE_CONTROL : TEXT_CONTROL)
  if (index < 0) return undefined
  const lines = text.slice(0, index).split(/\r\n?|\n/)
  const column = Array.from(lines.at(-1) ?? '').length + 1
  const code = text.charCodeAt(index).toString(16).toUpperCase().padStart(4, '0')
  return `Line ${lines.length}, column ${column} (U+${code})`
}

/** Scripts whose letters change their form beside a joiner. */
const JOINING = [
  'Adlam',
  'Arabic',
  'Hanifi_Rohingya',
  'Mandaic',
  'Manichaean',
  'Mongolian',
  'Nko',
  'Phags_Pa',
  'Sogdian',
  'Syriac',
  'Balinese',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Javanese',
  'Kannada',
  'Khmer',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Tibetan',
].map((script) => `\\p{Script=${script}}`)
const LETTER = `(?!\\p{DI})[${JOINING.join('')}]`
const EMOJI = String.raw`\p{Extended_Pictographic}(?:\p{EMod}|[\uFE0E\uFE0F])?`

/** Sequences in which an invisible character has an effect. */
const SEQUENCES = [
  // Flags of England, Scotland and Wales.
  String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}`,
  String.raw`[0-9#*]\uFE0F\u20E3`,
  String.raw`${EMOJI}(?:\u200D${EMOJI})*`,
  // Variants of ideographs in names.
  String.raw`\p{Ideographic}[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
  String.raw`(?!\p{DI})\p{Script=Mongolian}[\u180B-\u180F]`,
  // Joiner and non-joiner after a letter and its marks; the latter has an effect only before another letter.
  String.raw`${LETTER}(?:(?!\p{DI})\p{M})*(?:\u200D|\u200C(?=${LETTER}))`,
]
/** Default-ignorable characters and annotation marks. */
const INVISIBLE = String.raw`[\p{DI}\uFFF9-\uFFFB]`
const SEQUENCE_OR_INVISIBLE = new RegExp(`${SEQUENCES.join('|')}|(${INVISIBLE})`, 'gu')
const HAS_INVISIBLE = new RegExp(INVISIBLE, 'u')
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
/** Marks that order neighboring punctuation in right-to-left text: left-to-right, right-to-left, Arabic letter. */
const ORDER_MARK = /[\u200E\u200F\u061C]/

/** Removes invisible characters, except where they belong to an emoji or to the spelling of a word. */
function withoutInvisible(text: string): string {
  if (!HAS_INVISIBLE.test(text)) return text
  const isRightToLeft = RIGHT_TO_LEFT.test(text.replaceAll('\u061C', ''))
  return text.replaceAll(SEQUENCE_OR_INVISIBLE, (match, invisible: string | undefined) => {
    if (invisible === undefined) return match
    return isRightToLeft && ORDER_MARK.test(match) ? match : ''
  })
}

/**
 * A text as one line: line breaks, tabs and control characters become spaces, several spaces one, and invisible and
 * text-direction characters are removed. Cleaning it again changes nothing.
 */
export function cleanLine(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(LINE_SPACE, ' ')
    .replaceAll(/\p{Cc}/gu, ' ')
  return withoutInvisible(line)
    .replaceAll(/\s{2,}/g, ' ')
    .trim()
}

/** The first line of a text that has one, such as a commit message, cleaned and cut to a number of characters. */
export function firstLine(text: string, maxLength: number): string {
  const line = text.split(/\r\n?|[\n\u0085\u2028\u2029]/).find((each) => !isBlank(cleanLine(each)))
  // The cut may leave only what a line of its own may not have.
  return cleanLine(cutCharacters(cleanLine(line ?? ''), maxLength))
}

const POP_EMBEDDING = '\u202C'
const POP_ISOLATE = '\u2069'
const EMBEDDING = /[\u202A\u202B\u202D\u202E]/
const ISOLATE = /[\u2066-\u2068]/

/** Ends each text-direction character in its line, and removes ends without a start. */
function balanceLine(line: string): string {
  if (!DIRECTION.test(line)) return line
  let balanced = ''
  const open: string[] = []
  for (const character of line) {
    if (EMBEDDING.test(character)) open.push(POP_EMBEDDING)
    else if (ISOLATE.test(character)) open.push(POP_ISOLATE)
    else if (character === POP_EMBEDDING || character === POP_ISOLATE) {
      const index = character === POP_ISOLATE ? open.lastIndexOf(POP_ISOLATE) : open.length - 1
      if (open[index] !== character) continue
      balanced += open.splice(index).toReversed().join('')
      continue
    }
    balanced += character
  }
  return balanced + open.toReversed().join('')
}

/**
 * A text of several lines: every line break is \n, C1 control characters become spaces, other control characters and byte
 * order marks are removed, and text-direction characters have no effect beyond their line. Cleaning it again changes nothing.
 */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(LINE_BREAK, '\n')
    .replaceAll(C1, ' ')
    .replaceAll(/[^\P{Cc}\t\n]|\uFEFF/gu, '')
    .split('\n')
    .map(balanceLine)
    .join('\n')
    .trim()
}
