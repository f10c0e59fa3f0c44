// Writes the shape of the stable API, unless it has become incompatible (decision 54). Part of npm run generate.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describeShapes, findBreaks } from './v1-snapshot.ts'

const file = path.resolve(import.meta.dirname, '../contract/v1.snapshot.txt')
const current = describeShapes()
const breaks = findBreaks(await readFile(file, 'utf8').catch(() => ''), current)
if (breaks.length > 0) {
  console.error(
    `Programs that use /api/v1 would fail:\n${breaks.join('\n')}\nMake it an addition (docs/decisions/0054-stable-api.md). To end something that was deprecated for twelve months, delete its lines in contract/v1.snapshot.txt first.`,
  )
  process.exitCode = 1
} else {
  await writeFile(file, current)
}
