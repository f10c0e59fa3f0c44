// Comments and reviews: the code of Markdown, and links. It does not load the parser of Markdown, which is 20 times as large.
import { hideDirection, withoutDirection } from './direction.ts'
import { findLinks } from './find-links.ts'
import type { MarkdownElement, MarkdownNode } from './tree.ts'

const FENCE = /^( {0,3})(`{3,})([^`]*)$/
const CLOSING_FENCE = /^ {0,3}(`{3,})[ \t]*$/
const BACKTICKS_OR_BLANK_LINE = /`+|\n[ \t]*(?=\n)/g

/**
 * Parses inline code, fenced code and http(s) links, with the rules of CommonMark. Everything else stays as it was written.
 * Returns `p` and `pre` elements; a `p` holds text with line breaks, `code` and `a`. Takes linear time for text of any length.
 */
export function parseShortText(text: string): MarkdownElement[] {
  const blocks: MarkdownElement[] = []
  const lines = text.trimEnd().split('\n')
  let paragraph: string[] = []
  const closeParagraph = () => {
    const content = paragraph.join('\n').replace(/^\n+/, '').trimEnd()
    if (content !== '') blocks.push(['p', parseInline(content)])
    paragraph = []
  }
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? ''
    const [, indent, fence, info] = FENCE.exec(line) ?? []
    if (indent === undefined || fence === undefined) {
      paragraph.push(line)
      continue
    }
    closeParagraph()
    const start = i + 1
    for (i = start; i < lines.length; i += 1) {
      const [, closing = ''] = CLOSING_FENCE.exec(lines[i] ?? '') ?? []
      if (closing.length >= fence.length) break
    }
    const indentation = new RegExp(`^ {0,${indent.length}}`)
    const code = lines.slice(start, i).map((codeLine) => codeLine.replace(indentation, ''))
    blocks.push(['pre', hideDirection(code.join('\n')), info?.trim().split(/\s/)[0] ?? ''])
  }
  closeParagraph()
  return blocks
}

function parseInline(text: string): MarkdownNode[] {
  const runs = [...text.matchAll(BACKTICKS_OR_BLANK_LINE)]
  const closings = findClosings(runs.map(([run]) => run))
  const nodes: MarkdownNode[] = []
  let start = 0
  for (let i = 0; i < runs.length; i += 1) {
    const closing = closings[i]
    const [opening, closingRun] = [runs[i], closing === undefined ? undefined : runs[closing]]
    if (!opening || closing === undefined || !closingRun) continue
    nodes.push(...linkUrls(text.slice(start, opening.index)))
    const code = text.slice(opening.index + opening[0].length, closingRun.index).replaceAll('\n', ' ')
    nodes.push(['code', hideDirection(isPadded(code) ? code.slice(1, -1) : code)])
    start = closingRun.index + closingRun[0].length
    i = closing
  }
  return [...nodes, ...linkUrls(text.slice(start))]
}

/** Whether the first and the last space only separate the code from its backticks. */
const isPadded = (code: string) => code.startsWith(' ') && code.endsWith(' ') && /[^ ]/.test(code)

/** For each run of backticks the index of the next one of the same length in the same paragraph. */
function findClosings(runs: readonly string[]): (number | undefined)[] {
  const closings: (number | undefined)[] = []
  const next = new Map<number, number>()
  for (let i = runs.length - 1; i >= 0; i -= 1) {
    const run = runs[i] ?? ''
    if (run.startsWith('\n')) {
      next.clear()
      continue
    }
    closings[i] = next.get(run.length)
    next.set(run.length, i)
  }
  return closings
}

/** Text with its http(s) URLs as links. */
export function linkUrls(text: string): MarkdownNode[] {
  return findLinks(text).map(({ text: part, href }): MarkdownNode => {
    const shown = withoutDirection(part)
    return href === null ? shown : ['a', [shown], href]
  })
}
