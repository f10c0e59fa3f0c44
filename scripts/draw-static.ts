import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'

const folder = path.resolve(import.meta.dirname, '../web/static')
const MARK =
  '<rect width="32" height="32" rx="8" fill="#7c3aed"/><path d="M12 9 6.5 16l5.5 7M20 9l5.5 7-5.5 7" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/><path d="m17.6 8-3.2 16" stroke="#d8c7ff" stroke-width="2.2" stroke-linecap="round"/>'
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${MARK}</svg>\n`

interface Colors {
  background: string
  head: string
  body: string
}

const drawAvatar = ({ background, head, body }: Colors) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128"><rect width="128" height="128" fill="${background}"/><circle cx="64" cy="50" r="24" fill="${head}"/><path d="M16 128c0-30 22-46 48-46s48 16 48 46z" fill="${body}"/></svg>\n`

const DEFAULT_COLORS: Colors = { background: '#2a1f4d', head: '#b79cff', body: '#7c3aed' }
// By the avatar index that Discord assigns to members without an avatar.
const BY_INDEX: readonly Colors[] = [
  { background: '#1e2150', head: '#a5b4fc', body: '#4f46e5' },
  { background: '#2a2637', head: '#cbc5da', body: '#6f6787' },
  { background: '#0f3323', head: '#86efac', body: '#15803d' },
  { background: '#3d2606', head: '#fcd34d', body: '#b45309' },
  { background: '#451220', head: '#fda4af', body: '#be123c' },
  { background: '#451037', head: '#f5a8dd', body: '#b0258a' },
]

function drawPreview(): string {
  const lines = Array.from({ length: 9 }, (_, row) => {
    const indent = [0, 1, 2, 2, 1, 1, 2, 1, 0][row] ?? 0
    const lengths = [[180, 90], [120, 160], [210], [90, 130], [60], [150, 110], [190, 60], [60], [70]][row] ?? []
    let x = 700 + indent * 36
    return lengths
      .map((length, part) => {
        const bar = `<rect x="${x}" y="${150 + row * 40}" width="${length}" height="14" rx="7" fill="${part === 0 ? '#b79cff' : '#5b4b8a'}"/>`
        x += length + 18
        return bar
      })
      .join('')
  }).join('')
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#150f26"/><stop offset="1" stop-color="#3b1d78"/></linearGradient></defs>' +
    '<rect width="1200" height="630" fill="url(#g)"/><rect x="650" y="100" width="620" height="430" rx="24" fill="#0d0c12" opacity=".75"/>' +
    `${lines}<g transform="translate(90 170) scale(4)">${MARK}</g>` +
    '<text x="90" y="400" font-family="DejaVu Sans, Arial, sans-serif" font-size="84" font-weight="700" fill="#fff">Scriptyard</text>' +
    '<text x="92" y="460" font-family="DejaVu Sans, Arial, sans-serif" font-size="30" fill="#cfc4ee">Game scripts by the community</text></svg>'
  )
}

const manifest = {
  name: 'Scriptyard',
  short_name: 'Scriptyard',
  start_url: '/',
  display: 'minimal-ui',
  background_color: '#0d0c12',
  theme_color: '#8b5cf6',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  ],
}

const png = (svg: string, size: number) =>
  sharp(Buffer.from(svg), { density: 72 * (size / 32) })
    .resize(size, size)
    .png({ palette: true })
    .toBuffer()

await mkdir(folder, { recursive: true })
const files: Record<string, string | Buffer> = {
  'favicon.svg': icon,
  'favicon.png': await png(icon, 48),
  'apple-touch-icon.png': await png(icon, 180),
  'icon-192.png': await png(icon, 192),
  'icon-512.png': await png(icon, 512),
  'default-avatar.svg': drawAvatar(DEFAULT_COLORS),
  ...Object.fromEntries(BY_INDEX.map((colors, index) => [`default-avatar-${index}.svg`, drawAvatar(colors)])),
  'og-image.png': await sharp(Buffer.from(drawPreview())).png({ palette: true, quality: 90 }).toBuffer(),
  'site.webmanifest': `${JSON.stringify(manifest, null, 2)}\n`,
}
for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes)
