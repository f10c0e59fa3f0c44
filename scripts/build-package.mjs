// Writes the package in the current folder as it is published to dist/: JavaScript, types, README and a package.json that
// refers to them. npm runs it as the package's `build` script.
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

rmSync('dist', { recursive: true, force: true })
const compiler = path.resolve('../../node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })

const { scripts: _scripts, files: _files, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'))
const toFile = (source) => source.replace('./src/', './').replace(/\.ts$/, '')
const toExport = ([name, source]) => {
  const built = toFile(source)
  return [name, { types: `${built}.d.ts`, default: `${built}.js` }]
}
manifest.exports = Object.fromEntries(Object.entries(manifest.exports).map(toExport))
if (manifest.bin) {
  manifest.bin = Object.fromEntries(
    Object.entries(manifest.bin).map(([name, source]) => [name, `${toFile(source)}.js`]),
  )
}
writeFileSync('dist/package.json', `${JSON.stringify(manifest, null, 2)}\n`)
for (const file of globSync('src/**/*.luau')) {
  const target = path.join('dist', path.relative('src', file))
  mkdirSync(path.dirname(target), { recursive: true })
  copyFileSync(file, target)
}
for (const file of globSync('*.schema.json')) copyFileSync(file, path.join('dist', file))
copyFileSync('README.md', 'dist/README.md')
copyFileSync('../../LICENSE', 'dist/LICENSE')
