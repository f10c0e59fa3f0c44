const urls = new WeakMap<Blob, string>()

/** An object URL for showing a file. Each file gets one, which lasts as long as the page. */
export function objectUrl(file: Blob): string {
  const known = urls.get(file)
  if (known !== undefined) return known
  const url = URL.createObjectURL(file)
  urls.set(file, url)
  return url
}

/** A file as a data URL, the format in which the API accepts images. */
export function readDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')))
    reader.readAsDataURL(file)
  })
}
