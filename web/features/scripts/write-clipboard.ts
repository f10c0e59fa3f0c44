/**
 * Puts a text that is still on its way into the clipboard. The promise itself is handed over where the browser takes
 * one: Safari allows writing only in the very click. Throws where the browser refuses or the text never comes.
 */
export async function writeClipboard(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') {
    await navigator.clipboard.writeText(await text)
    return
  }
  const blob = text.then((whole) => new Blob([whole], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
