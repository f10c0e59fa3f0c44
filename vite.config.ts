import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { readLuauCompiler } from '@scriptyard/luau-behavior/wasm'

// The server sends these files instead of compressing each response: see server/platform/pages/web.ts.
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

const existsInWeb = (name: string) =>
  ['.ts', '.tsx'].some((end) => existsSync(path.join(import.meta.dirname, 'web', name + end)))
/** Throws if one of these files of web/, named without their extensions, does not exist. */
function checkFiles(names: string[]): void {
  const missing = names.filter((name) => !existsInWeb(name))
  if (missing.length > 0) throw new Error(`vite.config.ts names files that do not exist: ${missing.join(', ')}`)
}
/** Matches these files of web/. */
function filesOf(...names: string[]): RegExp {
  checkFiles(names)
  return new RegExp(`/web/(${names.join('|')})\\.tsx?$`)
}
const fileOfPage = (name: string) => `features/${name}-page`
/** Matches these pages, named as in web/features. */
const pagesOf = (...names: string[]) => filesOf(...names.map(fileOfPage))
/** Matches the chunks of these pages. A chunk has the name of the page without its folder. */
function chunksOf(...names: string[]): RegExp {
  checkFiles(names.map(fileOfPage))
  return new RegExp(`/(${names.map((name) => path.basename(name)).join('|')})-page-`)
}

// Each file costs a request, and small files compress worse, so modules that several pages load share a chunk. Modules that
// only members load stay out of the chunks of public pages. Rolldown's own grouping by entries (`entriesAware`) makes the
// first load of a page 5 to 30 KB larger.
const SHAREABLE = /\/web\/(lib|router|ui|shared|features|shell)\/|lucide-react|\/contract\/|\/packages\/text\//
const ENTRY = filesOf('entry.client')
const SCRIPT_PAGE = pagesOf('script/script')
const PROFILE_PAGE = pagesOf('members/profile')
const LIST_PAGES = pagesOf('browse/browse', 'browse/popular', 'showcases/showcases')
/** Public pages with one or two of the icons that others share. */
const PAGES_WITH_FEW_ICONS = pagesOf(
  'behavior/behavior',
  'collections/collection',
  'giveaways/draw',
  'giveaways/giveaways',
  'showcases/showcases',
)
const SERVICE_WORKER = 'web/service-worker.ts'
const FORM_CONTROLS = filesOf(
  'ui/choice-field',
  'ui/confirm-dialog',
  'ui/dialog',
  'ui/field',
  'ui/file-input',
  'ui/focus-first-error',
  'ui/form-alert',
  'ui/form-section',
  'ui/image-drop',
  'ui/radio-cards',
  'ui/switch',
  'ui/tag-input',
  'ui/text-area',
  'ui/text-input',
  'ui/use-drag-order',
  'ui/use-file-drop',
)
/** Small modules that most pages of members and many parts of public pages load. */
const SMALL = filesOf(
  'lib/describe-error',
  'lib/pending-action',
  'shared/sign-in/load-sign-in-notice',
  'shared/sign-in/members-only',
  'shared/sign-in/needs-script',
  'shared/sign-in/sign-in-request',
  'shared/use-action',
)
const ICON = /\/lucide-react\//

// The names of the files to preload before a page are part of every page's first load. Left out are files that each page has
// loaded already, and pages that are opened rarely: their files load one round trip later.
const ALWAYS_LOADED = /\/(vendor|shared|rolldown-runtime)-/
const RARELY_OPENED = chunksOf(
  'appeals/appeals',
  'giveaways/draw',
  'legal/privacy',
  'legal/terms',
  'members/me',
  'portal/admin',
  'portal/moderation/moderation',
  'site/api-docs',
  'site/chat',
)
const preloadsOf = (file: string, files: string[]): string[] =>
  RARELY_OPENED.test(file) ? [] : files.filter((name) => !ALWAYS_LOADED.test(name))

interface ModuleGraph {
  getModuleInfo: (id: string) => { importers: readonly string[]; dynamicImporters: readonly string[] } | null
}

const CHUNKS = ['shared', 'states', 'details', 'lists', 'script-parts', 'forms', 'icons'] as const

/** The chunk of a module, by the pages that import it statically. Null leaves it to Rolldown. */
function chunkOf(id: string, graph: ModuleGraph): (typeof CHUNKS)[number] | null {
  const importers = new Set([id])
  for (const module of importers) for (const each of graph.getModuleInfo(module)?.importers ?? []) importers.add(each)
  importers.delete(id)
  const count = (pages: RegExp) => [...importers].filter((module) => pages.test(module)).length
  const [isOnScript, isOnProfile, lists] = [count(SCRIPT_PAGE) > 0, count(PROFILE_PAGE) > 0, count(LIST_PAGES)]
  // With `import()`: such a module has a chunk of its own.
  const isLoadedLater = (module: string) => (graph.getModuleInfo(module)?.dynamicImporters.length ?? 0) > 0
  const isSharedByChunks = [...importers].filter(isLoadedLater).length > 1
  if (count(ENTRY) > 0 || (isOnScript && lists > 0) || SMALL.test(id)) return 'shared'
  if (isOnProfile && lists > 0) return 'states'
  if (isOnScript && isOnProfile) return 'details'
  if (lists > 1) return 'lists'
  if (FORM_CONTROLS.test(id)) return 'forms'
  if (ICON.test(id) && (isOnScript || isOnProfile)) return 'details'
  if (!isSharedByChunks) return null
  if (isOnScript) return 'script-parts'
  return ICON.test(id) && count(PAGES_WITH_FEW_ICONS) === 0 ? 'icons' : null
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
          input: ['web/entry.client.tsx', 'web/styles.css', 'web/before-paint.ts', SERVICE_WORKER],
          // React probes for functions that only the scheduler of its development build has.
          checks: { importIsUndefined: false, bundlerTimings: false },
          output: {
            // The scope of a service worker is its folder.
            entryFileNames: ({ facadeModuleId }: { facadeModuleId: string | null }) =>
              facadeModuleId?.endsWith(SERVICE_WORKER) ? '[name].js' : 'assets/[name]-[hash].js',
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
