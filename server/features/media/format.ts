const START_BYTES = 64

/** What a file is by its first bytes; its name and its declared type tell nothing. */
const TESTS: readonly ((start: string) => boolean)[] = [
  (png) => png.startsWith('\x89PNG\r\n\x1a\n'),
  (jpeg) => jpeg.startsWith('\xff\xd8\xff'),
  (gif) => gif.startsWith('GIF87a') || gif.startsWith('GIF89a'),
  (webp) => webp.startsWith('RIFF') && webp.startsWith('WEBP', 8),
  // The box that opens the file names the formats it fits.
  (avif) => avif.startsWith('ftyp', 4) && /avi[fs]/.test(avif.slice(8)),
]

/** Whether this is a picture that members may give: PNG, JPEG, WebP, GIF or AVIF. SVG is a program, not a picture. */
export function isPicture(bytes: Buffer): boolean {
  const start = bytes.subarray(0, START_BYTES).toString('latin1')
  return TESTS.some((test) => test(start))
}
