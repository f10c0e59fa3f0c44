import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { CachedResponse, sendCachedResponse } from '#server/platform/http/cached-response.ts'
import type { App } from '#server/platform/http/app.ts'
import { registerPageErrors } from './page-errors.ts'
import { openBuiltRenderer, openDevRenderer, readBuild } from './renderer.ts'
import { type PagesOptions, registerPages } from './routes.ts'

/** Where pages come from: the build, the sources (in development), or nowhere (an API without pages). */
export type WebSource = 'built' | 'sources' | 'none'

type WebOptions = Omit<PagesOptions, 'renderer' | 'contentSecurityPolicy' | 'isCached'> & {
  discordCdnUrl: string
  findAsset: (name: string) => Promise<Buffer | undefined>
}

const root = path.resolve(import.meta.dirname, '../../..')

export async function registerWeb(app: App, source: WebSource, options: WebOptions): Promise<void> {
  const isDevelopment = source === 'sources'
  const dist = path.join(root, 'dist')
  registerPageErrors(app, source === 'built' ? readBuild(path.join(dist, 'client')) : undefined)
  if (source === 'none') {
    app.setNotFoundHandler((request) => {
      throw app.explainNoRoute(request)
    })
    return
  }
  const renderer = isDevelopment ? await openDevRenderer(app, root) : await openBuiltRenderer(dist)
  if (!isDevelopment) await registerFiles(app, path.join(dist, 'client'), options.findAsset)
  app.addHook('onClose', () => renderer.close())
  registerPages(app, {
    ...options,
    renderer,
    contentSecurityPolicy: contentSecurityPolicy(options.discordCdnUrl, isDevelopment),
    isCached: !isDevelopment,
  })
}

const SERVICE_WORKER = 'service-worker.js'
/** What the service worker may load. */
const SERVICE_WORKER_POLICY = "default-src 'none'; connect-src 'self'"

const CONTENT_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.tgz': 'application/gzip',
}

/** Must be those of the running site. */
const OF_THIS_VERSION = new Set(['cli.tgz', SERVICE_WORKER])
/** Their content depends on the branding, see server/features/site. */
const GENERATED = new Set(['site.webmanifest'])

const COMPILE_WORKER = /^compile-worker-.*\.js$/
/** A worker's policy is that of its file. This one may run WebAssembly, unlike the pages, and load nothing. */
const COMPILE_WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'"

const ASSET_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}
const ASSET_NAME = /^[\w.-]{1,200}$/

async function readIfExists(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Reads a hashed file of the build with the variants that the build compressed. Undefined once another build replaced it. */
async function readAsset(file: string, type: string): Promise<CachedResponse | undefined> {
  const [body, br, gzip] = await Promise.all([file, `${file}.br`, `${file}.gz`].map(readIfExists))
  return body && new CachedResponse(body, type, 200, path.basename(file), { ...(br && { br }), ...(gzip && { gzip }) })
}

/** The build's hashed files, which never change and stay in memory once read, and its few files with fixed names. */
export async function registerFiles(app: App, clientFolder: string, findAsset: WebOptions['findAsset']): Promise<void> {
  const folder = path.join(clientFolder, 'assets')
  const names = new Set(readdirSync(folder))
  const assets = new Map<string, CachedResponse>()
  app.get<{ Params: { name: string } }>('/assets/:name', { config: { limit: 'none' } }, async (request, reply) => {
    const { name } = request.params
    const type = ASSET_TYPES[path.extname(name)]
    if (!type || !ASSET_NAME.test(name)) throw app.explainNoRoute(request)
    let asset = assets.get(name)
    if (!asset && names.has(name)) {
      asset = await readAsset(path.join(folder, name), type)
      if (asset) assets.set(name, asset)
    }
    const earlierAsset = asset ? undefined : await findAsset(name)
    if (!asset && !earlierAsset) throw app.explainNoRoute(request)
    if (COMPILE_WORKER.test(name)) reply.header('content-security-policy', COMPILE_WORKER_POLICY)
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return asset ? sendCachedResponse(request, reply, asset) : reply.type(type).send(earlierAsset)
  })
  for (const file of readdirSync(clientFolder, { withFileTypes: true })) {
    const type = CONTENT_TYPES[path.extname(file.name)]
    if (!file.isFile() || !type || GENERATED.has(file.name)) continue
    const response = new CachedResponse(readFileSync(path.join(clientFolder, file.name)), type)
    const cacheControl = OF_THIS_VERSION.has(file.name) ? 'public, no-cache' : 'public, max-age=86400'
    app.get(`/${file.name}`, (request, reply) => {
      if (file.name === SERVICE_WORKER) reply.header('content-security-policy', SERVICE_WORKER_POLICY)
      return sendCachedResponse(request, reply.header('cache-control', cacheControl), response)
    })
  }
}

/** Allows a page its own files only: no inline scripts or styles. */
export function contentSecurityPolicy(discordCdnUrl: string, isDevelopment = false): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Vite injects inline styles in development.
    isDevelopment ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
    `img-src 'self' blob: ${new URL(discordCdnUrl).origin}`,
    "font-src 'self'",
    // The preview of /embed in the share menu.
    "frame-src 'self'",
    "manifest-src 'self'",
    isDevelopment ? "connect-src 'self' ws:" : "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    // Nothing on the site makes HTML or script URLs from strings, except for the URLs of two workers: see compile-check.ts
    // and register-service-worker.ts.
    ...(isDevelopment ? [] : ['trusted-types compile-worker service-worker', "require-trusted-types-for 'script'"]),
  ].join('; ')
}
