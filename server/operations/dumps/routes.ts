import { mkdirSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import { DUMP_KIND_NAMES, type DumpList } from '#contract/dumps.ts'
import { notFound } from '#server/platform/http/errors.ts'
import type { App } from '#server/platform/http/app.ts'
import { listDumps, readManifestOf } from './daily.ts'
import { MANIFEST, SCHEMAS } from './write.ts'

const PREFIX = '/dumps/'

export interface DumpRoutesOptions {
  folder: string
  publicUrl: string
}

export async function registerDumps(app: App, { folder, publicUrl }: DumpRoutesOptions): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await app.register(fastifyStatic, {
    root: folder,
    prefix: PREFIX,
    index: false,
    dotfiles: 'deny',
    decorateReply: false,
    immutable: true,
    maxAge: '1d',
    setHeaders: (reply, file) => {
      if (file.endsWith('.gz')) reply.header('content-type', 'application/gzip')
    },
  })

  const urlOf = (name: string, file: string) => `${publicUrl}${PREFIX}${name}/${file}`
  app.get(PREFIX, async (_request, reply) => {
    const dumps: DumpList['dumps'] = []
    for (const name of await listDumps(folder)) {
      const manifest = await readManifestOf(folder, name)
      if (!manifest) continue
      dumps.push({
        name,
        manifest: urlOf(name, MANIFEST),
        schemas: ['manifest', ...DUMP_KIND_NAMES].map((kind) => urlOf(name, `${SCHEMAS}/${kind}.schema.json`)),
        created_at: manifest.created_at,
        files: manifest.files.map((file) => ({ ...file, url: urlOf(name, file.name) })),
      })
    }
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=60')
    return reply.send(`${JSON.stringify({ dumps } satisfies DumpList, null, 2)}\n`)
  })
  app.get('/dumps', (_request, reply) => reply.redirect(PREFIX, 301))
  app.get(`${PREFIX}latest`, async (_request, reply) => {
    const [name] = await listDumps(folder)
    if (name === undefined) throw notFound('This dump')
    return reply.header('cache-control', 'no-cache').redirect(`${PREFIX}${name}/${MANIFEST}`, 302)
  })
}
