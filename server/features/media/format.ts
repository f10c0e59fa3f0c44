const START_BYTES = 64

/** The formats that members may give, as the decoder names them. */
export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'heif'

/** What a file is by its first bytes; its name and its declared type tell nothing. */
const TESTS: Record<PictureFormat, (start: string) => boolean> = {
  png: (start) => start.startsWith('\x89PNG\r\n\x1a\n'),
  jpeg: (start) => start.startsWith('\xff\xd8\xff'),
  gif: (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a'),
  webp: (start) => start.startsWith('RIFF') && start.startsWith('WEBP', 8),
  // AVIF: the box that opens the file names the formats it fits.
  heif: (start) => start.startsWith('ftyp', 4) && /avi[fs]/.test(start.slice(8)),
}

/** The format of a picture that members may give: PNG, JPEG, WebP, GIF or AVIF. SVG is a program, not a picture. */
export function findFormat(bytes: Buffer): PictureFormat | undefined {
  const start = bytes.subarray(0, START_BYTES).toString('latin1')
  return (Object.keys(TESTS) as PictureFormat[]).find((format) => TESTS[format](start))
}
