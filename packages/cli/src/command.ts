// What the commands share: their options, what they return, and the check of the code.
import type { Manifest } from './manifest.ts'

export const OPTIONS = {
  site: { type: 'string' },
  file: { type: 'string' },
  title: { type: 'string' },
  folder: { type: 'string' },
  changelog: { type: 'string' },
  version: { type: 'string' },
  wait: { type: 'string' },
  create: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export type Options = Partial<Record<'site' | 'file' | 'title' | 'folder' | 'changelog' | 'version' | 'wait', string>> &
  Partial<Record<'create' | 'json' | 'help', boolean>>

export interface Outcome {
  result: object
  text: string
  exit?: number
}

/** Progress goes to standard error, results to standard output. */
export const report = (text: string) => process.stderr.write(`${text}\n`)

export const folderOf = ({ folder }: Options): string => folder ?? process.cwd()

// Loaded when needed: the compiler and the analyzer take most of the time to start.
export const loadCheck = () => import('./check.ts')

export async function checkManifest({ script }: Manifest, code: string) {
  const { check } = await loadCheck()
  return check(code, { capabilities: script['declared_capabilities'], hosts: script['declared_hosts'] })
}
