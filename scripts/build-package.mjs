// Writes the package in the current folder as it is published to dist/: JavaScript, types, README and a package.json that
// refers to them. npm runs it as the package's `build` script.
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

// Replaces dist/ at the end, because a running site starts processes from it.
const target = 'dist.new'
rmSync(target, { recursive: true, force: true })
const compiler = path.resolve('../../node_modules/typescript/bin/tsc')
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', target], { stdio: 'inherit' })

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
writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
for (const file of globSync('src/**/*.luau')) {
  const copy = path.join(target, path.relative('src', file))
  mkdirSync(path.dirname(copy), { recursive: true })
  copyFileSync(file, copy)
}
for (const file of globSync('*.schema.json')) copyFileSync(file, path.join(target, file))
copyFileSync('README.md', path.join(target, 'README.md'))
copyFileSync('../../LICENSE', path.join(target, 'LICENSE'))
rmSync('dist', { recursive: true, force: true })
renameSync(target, 'dist')
