/** Hands a text to the browser as a download. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun by then; right away it would find nothing.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
