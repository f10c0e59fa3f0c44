import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { render as renderPage } from '#web/entry.server.tsx'
import { type Assets, readAssets } from './assets.ts'

type Render = typeof renderPage
export type Rendered = Awaited<ReturnType<Render>>

/** Makes pages: where the built or the developed web side is behind one function. */
export interface Renderer {
  render(url: string, send: Parameters<Render>[1]): Promise<Rendered>
  close(): Promise<void>
}

/** Renders with what `npm run build` made. */
export async function openBuiltRenderer(dist: string): Promise<Renderer> {
  const assetsFor: (ids: string[]) => Assets = readAssets(path.join(dist, 'client'))
  const entry = pathToFileURL(path.join(dist, 'server/entry.server.js')).href
  const { render } = (await import(entry)) as { render: Render }
  return { render: (url, send) => render(url, send, assetsFor), close: async () => {} }
}
