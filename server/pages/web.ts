import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { CachedResponse, sendCachedResponse } from '#server/http/cached-response.ts'
import type { App } from '#server/http/server.ts'
import { openBuiltRenderer, openDevRenderer } from './renderer.ts'
import { type PagesOptions, registerPages, sendNotFound } from './routes.ts'

/** Where pages come from: the build, the sources (in development), or nowhere (an API without pages). */
export type WebSource = 'built' | 'sources' | 'none'

type WebOptions = Omit<PagesOptions, 'renderer' | 'contentSecurityPolicy' | 'isCached'> & {
  discordCdnUrl: string
  /** Finds a file of the build of another version. */
  findAsset: (name: string) => Promise<Buffer | undefined>
}

const root = path.resolve(import.meta.dirname, '../..')

/** Registers everything that a browser loads and that is not the API. */
export async function registerWeb(app: App, source: WebSource, options: WebOptions): Promise<void> {
  if (source === 'none') {
    app.setNotFoundHandler((_request, reply) => sendNotFound(reply))
    return
  }
  const isDevelopment = source === 'sources'
  const dist = path.join(root, 'dist')
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

const CONTENT_TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}

/** Their content depends on the branding, see server/features/site. */
const GENERATED = new Set(['site.webmanifest'])

const COMPILE_WORKER = /[\\/]compile-worker-[^\\/]+\.js(\.br|\.gz)?$/
/** A worker's policy is that of its file. This one may run WebAssembly, unlike the pages, and load nothing. */
const COMPILE_WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'"

const ASSET_TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}
const ASSET_NAME = /^\/assets\/([\w.-]{1,200})$/

/** The build's hashed files, which never change, and its few files with fixed names. */
async function registerFiles(app: App, clientFolder: string, findAsset: WebOptions['findAsset']): Promise<void> {
  await app.register(
    async (assets) => {
      await assets.register(fastifyStatic, {
        root: path.join(clientFolder, 'assets'),
        immutable: true,
        maxAge: '1y',
        preCompressed: true,
        index: false,
        decorateReply: false,
        setHeaders: (reply, file) => {
          if (COMPILE_WORKER.test(file)) reply.header('content-security-policy', COMPILE_WORKER_POLICY)
        },
      })
      assets.setNotFoundHandler(async (request, reply) => {
        const name = ASSET_NAME.exec(request.url)?.[1]
        const type = ASSET_TYPES[path.extname(name ?? '')]
        const content = name && type && (await findAsset(name))
        if (!content) return sendNotFound(reply)
        if (COMPILE_WORKER.test(`/${name}`)) reply.header('content-security-policy', COMPILE_WORKER_POLICY)
        return reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(content)
      })
    },
    { prefix: '/assets/' },
  )
  for (const file of readdirSync(clientFolder, { withFileTypes: true })) {
    const type = CONTENT_TYPES[path.extname(file.name)]
    if (!file.isFile() || !type || GENERATED.has(file.name)) continue
    const response = new CachedResponse(readFileSync(path.join(clientFolder, file.name)), type)
    app.get(`/${file.name}`, (request, reply) =>
      sendCachedResponse(request, reply.header('cache-control', 'public, max-age=86400'), response),
    )
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
    // Nothing on the site makes HTML or script URLs from strings, except for the URL of one worker: see compile-check.ts.
    ...(isDevelopment ? [] : ['trusted-types compile-worker', "require-trusted-types-for 'script'"]),
  ].join('; ')
}
