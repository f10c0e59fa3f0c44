import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

// The server sends the .br or .gz beside each file: top quality costs nothing at the time of a request.
const precompress: Plugin = {
  name: 'precompress',
  apply: 'build',
  writeBundle({ dir }) {
    if (!dir) return
    const assets = path.join(dir, 'assets')
    for (const name of readdirSync(assets)) {
      if (!/\.(js|css|svg|json)$/.test(name)) continue
      const bytes = readFileSync(path.join(assets, name))
      writeFileSync(path.join(assets, `${name}.br`), brotliCompressSync(bytes))
      writeFileSync(path.join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
}

const SHAREABLE = /\/web\/(lib|ui|components|features)\/|lucide-react|\/contract\//
/** What a visitor's first page is. */
const VISITORS_FILES =
  /\/web\/(entry\.client|features\/(catalogue\/browse|scripts\/script|popular\/popular)-page)\.tsx$/

const ENTRY = /\/web\/entry\.client\.tsx$/

type Importers = { importers: readonly string[] } | null

/** Whether at least two of the visitors' files load the module at once, directly or through others. */
function isForVisitors(id: string, getModuleInfo: (id: string) => Importers): boolean {
  const seen = new Set([id])
  for (const one of seen) for (const importer of getModuleInfo(one)?.importers ?? []) seen.add(importer)
  const users = [...seen].filter((one) => one !== id && VISITORS_FILES.test(one))
  return users.length > 1 || users.some((one) => ENTRY.test(one))
}

export default defineConfig(({ isSsrBuild }) => ({
  appType: 'custom',
  publicDir: isSsrBuild ? false : 'web/static',
  plugins: [react(), tailwindcss(), ...(isSsrBuild ? [] : [precompress])],
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    target: 'es2023',
    manifest: !isSsrBuild,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: ['web/entry.client.tsx', 'web/styles.css', 'web/before-paint.ts'],
          output: {
            codeSplitting: {
              groups: [
                { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|react-router|cookie-es)\// },
                // What several pages for visitors share comes in one file: many small ones compress worse. What only
                // members need stays out of it, however many of their pages share it.
                {
                  debugName: 'shared',
                  name: (id, modules) => (isForVisitors(id, (one) => modules.getModuleInfo(one)) ? 'shared' : null),
                  test: SHAREABLE,
                },
              ],
            },
          },
        },
  },
}))
