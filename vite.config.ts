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

const ICONS_PATH = 'lucide-react/dist/esm'
const ICON_EXPORT = /export \{ (.+) \} from '\.(\/icons\/[^']+)'/g

/** Where the library keeps each icon, by every name that it has. */
function findIcons(): Map<string, string> {
  const library = readFileSync(path.join('node_modules', ICONS_PATH, 'lucide-react.mjs'), 'utf8')
  return new Map(
    [...library.matchAll(ICON_EXPORT)].flatMap(([, names = '', file = '']) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = '']): [string, string] => [name, ICONS_PATH + file]),
    ),
  )
}

/** Imports each icon from its own file. All hang on one otherwise, and who uses which cannot be told from the imports. */
const splitIcons = (): Plugin => {
  const icons = findIcons()
  const importOne = (name: string) => `import ${name} from '${icons.get(name) ?? name}'`
  return {
    name: 'split-icons',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/, code: "'lucide-react'" },
      handler: (code) => ({
        code: code.replaceAll(/import \{([^}]*)\} from 'lucide-react'/g, (_, names: string) => {
          const used = names.split(',').map((name) => name.trim())
          return used
            .filter((name) => name !== '' && !name.startsWith('type '))
            .map(importOne)
            .join('; ')
        }),
        map: null,
      }),
    },
  }
}

const SHAREABLE = /\/web\/(lib|ui|components|features)\/|lucide-react|\/contract\//
const ENTRY = /\/web\/entry\.client\.tsx$/
/** What a visitor's first page is. */
const FIRST_PAGES = /\/web\/features\/(catalogue\/browse|scripts\/script|popular\/popular)-page\.tsx$/

type Importers = { importers: readonly string[] } | null

/** Whether the entry, or at least two of the first pages, load the module at once, directly or through others. */
function isForVisitors(id: string, getModuleInfo: (id: string) => Importers): boolean {
  const seen = new Set([id])
  for (const one of seen) for (const importer of getModuleInfo(one)?.importers ?? []) seen.add(importer)
  seen.delete(id)
  const above = [...seen]
  return above.some((one) => ENTRY.test(one)) || above.filter((one) => FIRST_PAGES.test(one)).length > 1
}

export default defineConfig(({ isSsrBuild }) => ({
  appType: 'custom',
  publicDir: isSsrBuild ? false : 'web/static',
  plugins: [react(), tailwindcss(), ...(isSsrBuild ? [] : [splitIcons(), precompress])],
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
                // What the first pages for visitors share comes in one file: many small ones compress worse. What only
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
