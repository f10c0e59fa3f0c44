import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The files a page names in its head. */
export interface Assets {
  css: string[]
  scripts: string[]
  preload: string[]
  beforePaint: string
}

interface ManifestChunk {
  file: string
  imports?: string[]
  css?: string[]
}

const ENTRY = 'web/entry.client.tsx'
const STYLES = 'web/styles.css'
const BEFORE_PAINT = 'web/before-paint.ts'

/** From Vite's manifest: what the pages with these route ids need, shared chunks included. */
export function readAssets(clientFolder: string): (routeIds: string[]) => Assets {
  const text = readFileSync(path.join(clientFolder, '.vite/manifest.json'), 'utf8')
  const manifest = JSON.parse(text) as Record<string, ManifestChunk>
  const fileOf = (id: string) => {
    const chunk = manifest[id]
    if (!chunk) throw new Error(`The web build has no ${id}; run npm run build.`)
    return `/${chunk.file}`
  }
  const collect = (id: string, seen: Set<string>) => {
    const chunk = manifest[id]
    if (!chunk || seen.has(id)) return seen
    seen.add(id)
    chunk.imports?.forEach((imported) => collect(imported, seen))
    return seen
  }
  return (routeIds) => {
    const chunks = new Set<string>()
    for (const id of [ENTRY, ...routeIds]) collect(id, chunks)
    const css = new Set([fileOf(STYLES)])
    for (const id of chunks) manifest[id]?.css?.forEach((file) => css.add(`/${file}`))
    const preload = [...chunks].filter((id) => id !== ENTRY).map(fileOf)
    return { css: [...css], scripts: [fileOf(ENTRY)], preload, beforePaint: fileOf(BEFORE_PAINT) }
  }
}
