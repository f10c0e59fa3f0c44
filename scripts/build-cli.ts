// Packs the command `scriptyard` and its GitHub action for npm into dist/client/cli.tgz, which a site serves, so that
// `npx https://SITE/cli.tgz` runs the version that belongs to the site. Run by `npm run build`.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { npmCommand } from './run/install.mjs'

interface PackageManifest {
  version: string
  dependencies: Record<string, string>
}

const root = path.resolve(import.meta.dirname, '..')
const source = path.join(root, 'packages/cli')
const draft = path.join(root, 'dist/cli')
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as PackageManifest

/** Our packages are in the bundle. Those that npm has are installed with it. */
const EXTERNAL = ['luau-web']

function describePackage(): object {
  const {
    scripts: _scripts,
    exports: _exports,
    files: _files,
    ...manifest
  } = readManifest('packages/cli') as PackageManifest & Record<string, unknown>
  const { dependencies } = readManifest('packages/luau-behavior')
  return {
    ...manifest,
    version: readManifest('.').version,
    bin: { scriptyard: './cli.js' },
    dependencies: Object.fromEntries(EXTERNAL.map((name) => [name, dependencies[name]])),
  }
}

rmSync(draft, { recursive: true, force: true })
mkdirSync(draft, { recursive: true })
await build({
  root,
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true, external: EXTERNAL },
  build: {
    ssr: true,
    outDir: draft,
    target: 'node20',
    rolldownOptions: {
      input: { cli: path.join(source, 'src/cli.ts') },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
writeFileSync(path.join(draft, 'package.json'), `${JSON.stringify(describePackage(), null, 2)}\n`)
for (const name of ['README.md', 'scriptyard.schema.json', 'action']) {
  cpSync(path.join(source, name), path.join(draft, name), { recursive: true })
}
cpSync(path.join(root, 'LICENSE'), path.join(draft, 'LICENSE'))
const { program, first, options } = npmCommand()
const packing = ['pack', '--json', '--loglevel=error', '--pack-destination', path.dirname(draft)]
const packed = execFileSync(program, [...first, ...packing], { ...options, cwd: draft, encoding: 'utf8' })
const [{ filename = '' } = {}] = JSON.parse(packed) as { filename?: string }[]
renameSync(path.join(root, 'dist', filename), path.join(root, 'dist/client/cli.tgz'))
cpSync(path.join(source, 'scriptyard.schema.json'), path.join(root, 'dist/client/scriptyard.schema.json'))
