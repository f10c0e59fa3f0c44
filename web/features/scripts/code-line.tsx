import { Fragment } from 'react'
import type { CodeLine as Line, TokenKind } from './preview.ts'
import { splitHiddenCharacters } from './hidden-characters.ts'

const colours: Record<TokenKind, string> = {
  text: '',
  comment: 'text-code-comment italic',
  keyword: 'text-code-keyword',
  function: 'text-code-function',
  constant: 'text-code-constant',
  string: 'text-code-string',
  parameter: 'text-code-parameter',
  punctuation: 'text-code-punctuation',
}

/** One line of code behind its number, which is drawn and so is neither selected nor copied. */
export function CodeLine({ line, isLast }: { line: Line; isLast: boolean }) {
  return (
    <span
      dir="ltr"
      className="block pr-4 pl-11 sm:pl-14 [counter-increment:line] before:absolute before:left-0 before:w-8 sm:before:w-10 before:text-right before:text-muted before:content-[counter(line)/'']"
    >
      {Array.from(line.entries(), ([place, [kind, text]]) => (
        <span key={place} className={colours[kind] || undefined}>
          <CodeText text={text} />
        </span>
      ))}
      {isLast ? '' : '\n'}
    </span>
  )
}

/** Characters that cannot be seen or turn the writing around are shown by name: what is read is what runs. */
function CodeText({ text }: { text: string }) {
  return Array.from(splitHiddenCharacters(text).entries(), ([place, piece]) =>
    piece.hidden === null ? (
      <Fragment key={place}>{piece.text}</Fragment>
    ) : (
      <span key={place} className="rounded-sm border border-warning px-1 text-xs text-warning not-italic">
        {piece.hidden}
      </span>
    ),
  )
}
