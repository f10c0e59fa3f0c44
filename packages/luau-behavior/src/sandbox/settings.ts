// The settings of a run, as a Lua table that the prelude starts from.
import { GET_FUNCTIONS, listRules, POST_FUNCTIONS, REQUEST_FUNCTIONS, SOCKET_FUNCTIONS } from '../functions.ts'

const KINDS: readonly (readonly [kind: string, paths: ReadonlySet<string>])[] = [
  ['request', REQUEST_FUNCTIONS],
  ['get', GET_FUNCTIONS],
  ['post', POST_FUNCTIONS],
  ['socket', SOCKET_FUNCTIONS],
]

export function writeSettings(hasExecutor: boolean): string {
  const functions = listRules().map(([path, { capability = '' }]) => {
    const kind = KINDS.find(([, paths]) => paths.has(path))?.[0] ?? 'plain'
    return `{ "${path}", "${kind}", "${capability}" }`
  })
  return `return { hasExecutor = ${hasExecutor}, executorFunctions = { ${functions.join(', ')} } }`
}
