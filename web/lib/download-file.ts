/** Saves a text as a file on the visitor's device. `type` is its media type. */
export function downloadFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Delayed, because revoking the URL immediately would cancel the download.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
