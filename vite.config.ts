import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { readLuauCompiler } from '@scriptyard/luau-behavior/wasm'

// The server sends these files instead of compressing each response: see server/pages/web.ts.
const precompress = () =>
  compression({ include: /^assets\/.*\.(js|css|svg|json|wasm)$/, skipIfLargerOrEqual: false, logLevel: 'silent' })

/** Makes the compiler inside of luau-web a file that browsers can download. */
function luauCompiler(): Plugin {
  const file = path.resolve('node_modules/.cache/luau-compiler.wasm')
  return {
    name: 'luau-compiler',
    resolveId: (id) => (id === 'luau-web/compiler.wasm?url' ? `${file}?url` : undefined),
    buildStart: () => {
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, readLuauCompiler())
    },
  }
}

const REACT_FILES: Record<string, string> = {
  react: 'react/cjs/react.production.js',
  'react/jsx-runtime': 'react/cjs/react-jsx-runtime.production.js',
  'react-dom': 'react-dom/cjs/react-dom.production.js',
  'react-dom/client': 'react-dom/cjs/react-dom-client.production.js',
  scheduler: 'scheduler/cjs/scheduler.production.js',
}

/**
 * Bundles React's CommonJS files as ES modules. As CommonJS modules, each is one function, which the browser's main thread
 * compiles again when it is called: 15 of the 28 ms that it takes to start the scripts of a page. As a module, it is
 * compiled in the background while it loads.
 */
function reactModules(): Plugin {
  const files = new Map(Object.entries(REACT_FILES).map(([name, file]) => [name, path.resolve('node_modules', file)]))
  const ids = new Set(files.values())
  return {
    name: 'react-modules',
    enforce: 'pre',
    resolveId: (source) => files.get(source),
    load(id) {
      if (!ids.has(id)) return undefined
      const code = readFileSync(id, 'utf8')
      const names = new Set([...code.matchAll(/\bexports\.(\w+) =\s/g)].map(([, name = '']) => name))
      return code
        .replace(/^var (?:\w+ = require\("[^"]+"\)[,;]\s*)+/m, (statement) =>
          statement.replace('var ', '').replace(/(\w+) = require\(("[^"]+")\)[,;]/g, 'import * as $1 from $2;'),
        )
        .replace(/^exports\.(\w+) =/gm, 'var export_$1 =')
        .replace(/\bexports\.(\w+)/g, 'export_$1')
        .concat(`\nexport { ${[...names].map((name) => `export_${name} as ${name}`).join(', ')} }`)
    },
  }
}

/** Matches a path with one of these pages, named as in web/features. Throws if a page has no file. */
function pagePattern(names: string[], toPattern: (names: string) => string): RegExp {
  const missing = names.filter((name) => !existsSync(path.join(import.meta.dirname, `web/features/${name}-page.tsx`)))
  if (missing.length > 0) throw new Error(`vite.config.ts names pages without a file: ${missing.join(', ')}`)
  return new RegExp(toPattern(`(${names.join('|')})`))
}
const modulesOf = (...names: string[]) => pagePattern(names, (pages) => `/web/features/${pages}-page\\.tsx$`)
/** A chunk has the name of the page without its folder. */
const chunksOf = (...names: string[]) => pagePattern(names, (pages) => `/${pages.replaceAll(/\w+\//g, '')}-page-`)

// Many small files compress worse than a few larger ones, so modules that several public pages load share a chunk.
// Modules that only members load stay out of these chunks. Rolldown's own grouping by entries (`entriesAware`) makes
// the first load of a page 5 to 30 KB larger.
const SHAREABLE = /\/web\/(lib|router|ui|components|features|shell)\/|lucide-react|\/contract\//
const ENTRY = /\/web\/entry\.client\.tsx$/
const SCRIPT_PAGE = modulesOf('scripts/script')
const PROFILE_PAGE = modulesOf('members/profile')
const LIST_PAGES = modulesOf('catalogue/browse', 'popular/popular', 'showcases/showcases')
const ICON = /\/lucide-react\//

// The names of the files to preload before a page are part of every page's first load. Left out are files that each page has
// loaded already, and pages that are opened rarely: their files load one round trip later.
const ALWAYS_LOADED = /\/(vendor|shared|rolldown-runtime)-/
const RARELY_OPENED = chunksOf(
  'admin/admin',
  'admin/moderation',
  'appeals/appeals',
  'giveaways/draw',
  'legal/privacy',
  'legal/terms',
  'members/me',
  'site/api-docs',
  'site/chat',
)
const preloadsOf = (file: string, files: string[]): string[] =>
  RARELY_OPENED.test(file) ? [] : files.filter((name) => !ALWAYS_LOADED.test(name))

type ModuleGraph = { getModuleInfo: (id: string) => { importers: readonly string[] } | null }

const CHUNKS = ['shared', 'states', 'details', 'lists', 'icons'] as const

/** The chunk of a module, by the pages that import it statically. Null leaves it to Rolldown. */
function chunkOf(id: string, graph: ModuleGraph): (typeof CHUNKS)[number] | null {
  const importers = new Set([id])
  for (const module of importers) for (const each of graph.getModuleInfo(module)?.importers ?? []) importers.add(each)
  importers.delete(id)
  const count = (pages: RegExp) => [...importers].filter((module) => pages.test(module)).length
  const [isOnScript, isOnProfile, lists] = [count(SCRIPT_PAGE) > 0, count(PROFILE_PAGE) > 0, count(LIST_PAGES)]
  if (count(ENTRY) > 0 || (isOnScript && lists > 0)) return 'shared'
  if (isOnProfile && lists > 0) return 'states'
  if (isOnScript && isOnProfile) return 'details'
  if (lists > 1) return 'lists'
  // Icons are tiny files.
  return isOnProfile && ICON.test(id) ? 'icons' : null
}

export default defineConfig(({ command, isSsrBuild }) => ({
  appType: 'custom',
  publicDir: isSsrBuild ? false : 'web/static',
  plugins: [
    react(),
    tailwindcss(),
    luauCompiler(),
    ...(command === 'build' && !isSsrBuild ? [reactModules(), precompress()] : []),
  ],
  worker: { format: 'es' },
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    target: 'es2023',
    manifest: !isSsrBuild,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: preloadsOf },
    rolldownOptions: isSsrBuild
      ? {}
      : {
          input: ['web/entry.client.tsx', 'web/styles.css', 'web/before-paint.ts'],
          // React probes for functions that only the scheduler of its development build has.
          checks: { importIsUndefined: false, bundlerTimings: false },
          output: {
            codeSplitting: {
              groups: [
                {
                  name: 'vendor',
                  priority: 3,
                  test: /node_modules\/(react|react-dom|scheduler)\//,
                },
                // A module that two chunks need goes into the one with the higher priority.
                ...CHUNKS.map((chunk) => ({
                  debugName: chunk,
                  priority: chunk === 'shared' ? 2 : 1,
                  name: (id: string, graph: ModuleGraph) => (chunkOf(id, graph) === chunk ? chunk : null),
                  test: SHAREABLE,
                })),
              ],
            },
          },
        },
  },
}))
