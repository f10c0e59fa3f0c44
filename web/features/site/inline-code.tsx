/** A text in which what stands between backticks is code. */
export function InlineCode({ text }: { text: string }) {
  return Array.from(text.split('`').entries(), ([place, part]) =>
    place % 2 === 1 ? <code key={place}>{part}</code> : part,
  )
}
