const addresses = new WeakMap<Blob, string>()

/** An address under which this page can show a file, one for each file. The few that a page shows go with it. */
export function objectUrl(file: Blob): string {
  const known = addresses.get(file)
  if (known !== undefined) return known
  const made = URL.createObjectURL(file)
  addresses.set(file, made)
  return made
}
