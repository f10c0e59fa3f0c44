import type { CodeLine } from '#web/shared/markdown/luau-tokens.ts'
import { cutText } from '#web/lib/text.ts'
import { hasHiddenCharacters } from '#web/shared/code-diff/code-text.tsx'

const PREVIEW_LENGTH = 2000

/** The first 2,000 characters of a script, line by line. The whole code is loaded when it is copied. */
export interface Preview {
  lines: readonly CodeLine[]
  isCut: boolean
  isHighlighted: boolean
  /** Whether the whole code has hidden characters, not only the preview. */
  hasHiddenCharacters: boolean
  /** Number of lines of the whole code. */
  lineCount: number
}

export function makePreview(code: string): Preview {
  const { head, rest } = cutText(code, PREVIEW_LENGTH)
  const lines = head.split(/\r\n|\r|\n/)
  // A trailing line break does not start another line.
  if (rest === '' && lines.length > 1 && lines.at(-1) === '') lines.pop()
  return {
    lines: lines.map((line): CodeLine => (line === '' ? [] : [['text', line]])),
    isCut: rest !== '',
    isHighlighted: false,
    hasHiddenCharacters: hasHiddenCharacters(code),
    lineCount: countLines(code),
  }
}

function countLines(code: string): number {
  const breaks = code.match(/\r\n|\r|\n/g)?.length ?? 0
  return breaks + (/[\r\n]$/.test(code) ? 0 : 1)
}

/** The text of a preview, with its lines joined by line feeds. */
export function previewText(lines: readonly CodeLine[]): string {
  return lines.map((line) => line.map(([, text]) => text).join('')).join('\n')
}
