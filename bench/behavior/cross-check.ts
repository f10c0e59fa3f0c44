// Compares the parser with Luau's compiler on up to 1,000 files of folders, and prints every disagreement:
// node bench/behavior/cross-check.ts FOLDER...
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { compare, errorOf } from '../../packages/luau-behavior/test/agreement.ts'
import { compileMany } from './compile-many.ts'

const MAX_FILES = 1000

const files = process.argv
  .slice(2)
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.luau?$/.test(name))
      .toSorted()
      .map((name) => path.join(folder, name)),
  )
  .slice(0, MAX_FILES)
if (files.length === 0) throw new Error('Name folders that have .lua or .luau files.')

const codes = files.map((file) => readFileSync(file, 'utf8'))
const errors = await compileMany(codes)
const counts = { agree: 0, stricter: 0, disagree: 0 }
codes.forEach((code, index) => {
  const error = errors[index] ?? null
  const verdict = compare(code, error)
  counts[verdict]++
  if (verdict === 'agree') return
  console.log(`${verdict}\t${files[index]}\tcompiler: ${error ?? 'compiles'}\tparser: ${errorOf(code) ?? 'parses'}`)
})
const compiling = errors.filter((error) => error === null).length
console.log(`${codes.length} files, of which ${compiling} compile: ${counts.agree} agreements,`)
console.log(`${counts.stricter} that only the compiler rejects, as known, and ${counts.disagree} disagreements`)
