// npm run reload: replaces the workers of the running site by those of the version in this folder, one at a time.
import path from 'node:path'
import { readDataDir } from '#server/config.ts'
import { readEnvironment } from '#server/config/values.ts'
import { requestReload } from '#server/processes/control.ts'
import { printResult } from './run-command.ts'

await printResult(() => {
  const request = { program: path.resolve(import.meta.dirname, '..'), node: process.execPath }
  return requestReload(readDataDir(readEnvironment()), request, (progress) => console.log(progress))
})
