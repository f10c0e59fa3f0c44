// npm run reload: replaces the workers of the running site by those of the version in this folder, one at a time.
import path from 'node:path'
import { readDataDir } from '#server/platform/config.ts'
import { readEnvironment } from '#server/platform/config/values.ts'
import { requestReload } from '#server/operations/processes/control.ts'
import { printResult } from './run-command.ts'

await printResult(() => {
  const request = { program: path.resolve(import.meta.dirname, '..'), node: process.execPath }
  return requestReload(readDataDir(readEnvironment()), request, (progress) => console.log(progress))
})
