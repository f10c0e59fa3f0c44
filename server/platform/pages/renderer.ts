import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { App } from '#server/platform/http/app.ts'
import type { Build } from './page-errors.ts'
import type { render as renderPage } from '#web/entry.server.tsx'

type Render = typeof renderPage

interface Entry {
  render: Render
  parameters: readonly string[]
}

type Assets = ReturnType<Parameters<Render>[2]>
export type RenderedPage = Awaited<ReturnType<Render>>

export interface Renderer {
  /** Query parameters that some page reads. All others are dropped, so that they do not make new cache entries. */
  parameters: readonly string[]
  render(url: string, send: Parameters<Render>[1]): Promise<RenderedPage>
  close(): Promise<void>
}

export async function openBuiltRenderer(dist: string): Promise<Renderer> {
  const assetsFor = readAssets(path.join(dist, 'client'))
  const entry = pathToFileURL(path.join(dist, 'server/entry.server.js')).href
  const { render, parameters } = (await import(entry)) as Entry
  return { parameters, render: (url, send) => render(url, send, assetsFor), close: async () => {} }
}

interface ManifestChunk {
  file: string
  imports?: string[]
  css?: string[]
}

const ENTRY = 'web/entry.client.tsx'
const STYLES = 'web/styles.css'
const BEFORE_PAINT = 'web/before-paint.ts'
const FONT = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

/** Reads Vite's manifest. */
function readManifest(clientFolder: string): Record<string, ManifestChunk> {
  const text = readFileSync(path.join(clientFolder, '.vite/manifest.json'), 'utf8')
  return JSON.parse(text) as Record<string, ManifestChunk>
}

export function readBuild(clientFolder: string): Build {
  const manifest = readManifest(clientFolder)
  return { pages: new Set(['root', ...Object.keys(manifest)]), entry: path.basename(manifest[ENTRY]?.file ?? '') }
}

/** Returns the files that the pages of these routes need, shared chunks included. */
export function readAssets(clientFolder: string): (routeIds: string[]) => Assets {
  const manifest = readManifest(clientFolder)
  const fileOf = (id: string) => {
    const chunk = manifest[id]
    if (!chunk) throw new Error(`The web build has no ${id}. Run npm run build.`)
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
    return { css: [...css], scripts: [fileOf(ENTRY)], preload, beforePaint: fileOf(BEFORE_PAINT), font: fileOf(FONT) }
  }
}

const DEV_ASSETS: Assets = {
  css: ['/web/styles.css'],
  scripts: ['/web/dev.ts'],
  preload: [],
  beforePaint: '/web/before-paint.ts',
}

/** Renders from the sources through Vite, which also serves the browser's modules and reloads them on changes. */
export async function openDevRenderer(app: App, root: string): Promise<Renderer> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    root,
    appType: 'custom',
    server: { middlewareMode: true, hmr: { server: app.server } },
  })
  app.addHook('onRequest', (request, reply, done) => {
    const isPage = request.headers.accept?.includes('text/html')
    if (isPage || /^\/(api|raw|media)\//.test(request.url)) return done()
    vite.middlewares(request.raw, reply.raw, () => done())
  })
  const loadEntry = async () => (await vite.ssrLoadModule('/web/entry.server.tsx')) as Entry
  const { parameters } = await loadEntry()
  return {
    parameters,
    async render(url, send) {
      const { render } = await loadEntry()
      return render(url, send, () => DEV_ASSETS)
    },
    close: () => vite.close(),
  }
}
