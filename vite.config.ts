import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

const SHAREABLE = /\/web\/(lib|ui|components|features|shell)\/|lucide-react|\/contract\//
const ENTRY = /\/web\/entry\.client\.tsx$/
const SCRIPT_PAGE = /\/web\/features\/scripts\/script-page\.tsx$/
const PROFILE_PAGE = /\/web\/features\/members\/profile-page\.tsx$/
const ICON = /\/lucide-react\//
const LIST_PAGES = /\/web\/features\/(catalogue\/browse|popular\/popular|showcases\/showcases)-page\.tsx$/

type Importers = { importers: readonly string[] } | null
type SharedFile = 'shared' | 'states' | 'lists' | 'icons'
type Modules = { getModuleInfo: (id: string) => Importers }

/** The file in which a module comes to visitors of several pages; null for what one page alone loads at once. */
function sharedFile(id: string, modules: Modules): SharedFile | null {
  const seen = new Set([id])
  for (const one of seen) for (const importer of modules.getModuleInfo(one)?.importers ?? []) seen.add(importer)
  seen.delete(id)
  const count = (files: RegExp) => [...seen].filter((one) => files.test(one)).length
  if (count(ENTRY) > 0 || (count(SCRIPT_PAGE) > 0 && count(LIST_PAGES) > 0)) return 'shared'
  if (count(PROFILE_PAGE) > 0 && count(LIST_PAGES) > 0) return 'states'
  if (count(LIST_PAGES) > 1) return 'lists'
  // Small as they are, each file costs: those of the profile come as one.
  return ICON.test(id) && count(PROFILE_PAGE) > 0 && count(SCRIPT_PAGE) === 0 ? 'icons' : null
}

/** What goes into one of the two; of what both need, the first one has it. */
const sharing = (file: SharedFile, priority: number) => ({
  debugName: file,
  priority,
  name: (id: string, modules: Modules) => (sharedFile(id, modules) === file ? file : null),
  test: SHAREABLE,
})

// The server sends these files instead of compressing each response: see server/pages/web.ts.
const precompress = () =>
  compression({ include: /^assets\/.*\.(js|css|svg|json)$/, skipIfLargerOrEqual: false, logLevel: 'silent' })

export default defineConfig(({ command, isSsrBuild }) => ({
  appType: 'custom',
  publicDir: isSsrBuild ? false : 'web/static',
  plugins: [react(), tailwindcss(), command === 'build' && !isSsrBuild && precompress()],
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
                  priority: 3,
                  test: /node_modules\/(react|react-dom|scheduler|react-router|cookie-es)\//,
                },
                // What several pages for visitors share comes in two files: many small ones compress worse. What only
                // members need stays out of them, however many of their pages share it.
                sharing('shared', 2),
                sharing('states', 1),
                sharing('lists', 1),
                sharing('icons', 1),
              ],
            },
          },
        },
  },
}))
