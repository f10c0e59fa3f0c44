// Writes the package as it is published to dist/: JavaScript, types, README and a package.json that refers to them.
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

process.chdir(import.meta.dirname)
rmSync('dist', { recursive: true, force: true })
const compiler = path.resolve('../../node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })

const { scripts: _scripts, files: _files, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'))
const toBuilt = ([name, source]) => {
  const built = source.replace('./src/', './').replace(/\.ts$/, '')
  return [name, { types: `${built}.d.ts`, default: `${built}.js` }]
}
manifest.exports = Object.fromEntries(Object.entries(manifest.exports).map(toBuilt))
writeFileSync('dist/package.json', `${JSON.stringify(manifest, null, 2)}\n`)
copyFileSync('README.md', 'dist/README.md')
copyFileSync('../../LICENSE', 'dist/LICENSE')
