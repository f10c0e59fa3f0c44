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

const ICONS = readFileSync('node_modules/lucide-react/dist/esm/lucide-react.mjs', 'utf8')
const ICON_FILES = new Map(
  [...ICONS.matchAll(/^export \{ (.+) \} from '\.\/icons\/([\w-]+)\.mjs'/gm)].flatMap(([, names = '', file = '']) =>
    [...names.matchAll(/default as (\w+)/g)].map(([, name = '']): [string, string] => [name, file]),
  ),
)

// Through the package's one entry every icon seems to be used wherever one is: each is imported from its own file.
const singleIcons: Plugin = {
  name: 'single-icons',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/web\/.+\.tsx?$/, code: 'lucide-react' },
    handler(code) {
      const single = code.replace(/^import \{([^}]+)\} from 'lucide-react'$/gm, (_all, names: string) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => ICON_FILES.has(name))
          .map((name) => `import ${name} from 'lucide-react/icons/${ICON_FILES.get(name)}'`)
          .join(';'),
      )
      return { code: single, map: null }
    },
  },
}

const SHAREABLE = /\/web\/(lib|ui|components|features)\/|lucide-react|\/contract\//
const ENTRY = /\/web\/entry\.client\.tsx$/
/** What a visitor's first page is. */
const SCRIPT_PAGE = /\/web\/features\/scripts\/script-page\.tsx$/
const LIST_PAGES = /\/web\/features\/(catalogue\/browse|popular\/popular|showcases\/showcases)-page\.tsx$/

type Importers = { importers: readonly string[] } | null

/** The file in which a module goes to visitors who open two pages, null for what one page alone loads at once. */
function fileFor(id: string, getModuleInfo: (id: string) => Importers): string | null {
  const seen = new Set([id])
  for (const one of seen) for (const importer of getModuleInfo(one)?.importers ?? []) seen.add(importer)
  seen.delete(id)
  const count = (files: RegExp) => [...seen].filter((one) => files.test(one)).length
  if (count(ENTRY) > 0 || (count(SCRIPT_PAGE) > 0 && count(LIST_PAGES) > 0)) return 'shared'
  return count(LIST_PAGES) > 1 ? 'lists' : null
}

export default defineConfig(({ isSsrBuild }) => ({
  appType: 'custom',
  publicDir: isSsrBuild ? false : 'web/static',
  plugins: [react(), tailwindcss(), ...(isSsrBuild ? [] : [singleIcons, precompress])],
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
                {
                  name: 'vendor',
                  priority: 2,
                  test: /node_modules\/(react|react-dom|scheduler|react-router|cookie-es)\//,
                },
                // What several pages for visitors share comes in two files, one of them for lists alone: many small ones
                // compress worse. What only members need stays out of them, however many of their pages share it.
                ...(['shared', 'lists'] as const).map((file, at) => ({
                  debugName: file,
                  // What both need belongs to the first.
                  priority: 1 - at,
                  name: (id: string, modules: { getModuleInfo: (id: string) => Importers }) =>
                    fileFor(id, (one) => modules.getModuleInfo(one)) === file ? file : null,
                  test: SHAREABLE,
                })),
              ],
            },
          },
        },
  },
}))
