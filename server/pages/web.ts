import path from 'node:path'
import type { App } from '#server/http/server.ts'
import { openDevRenderer } from './dev-renderer.ts'
import { registerFiles } from './files.ts'
import { contentSecurityPolicy } from './policy.ts'
import { openBuiltRenderer } from './renderer.ts'
import { type PagesOptions, registerPages, sendNotFound } from './routes.ts'

/** Where pages come from: the build, the sources while developing, or nowhere (the API alone). */
export type WebSource = 'built' | 'sources' | 'none'

type Options = Pick<PagesOptions, 'publicUrl' | 'version' | 'onPage' | 'fastPath'> & { discordCdnUrl: string }

const root = path.resolve(import.meta.dirname, '../..')

/** Everything a browser loads that is not the API. */
export async function registerWeb(app: App, source: WebSource, options: Options): Promise<void> {
  if (source === 'none') {
    app.setNotFoundHandler((_request, reply) => sendNotFound(reply))
    return
  }
  const isDevelopment = source === 'sources'
  const dist = path.join(root, 'dist')
  const renderer = isDevelopment ? await openDevRenderer(app, root) : await openBuiltRenderer(dist)
  if (!isDevelopment) await registerFiles(app, path.join(dist, 'client'))
  app.addHook('onClose', () => renderer.close())
  const policy = contentSecurityPolicy({ discordCdnUrl: options.discordCdnUrl, isDevelopment })
  registerPages(app, { ...options, renderer, policy, isCached: !isDevelopment })
}
