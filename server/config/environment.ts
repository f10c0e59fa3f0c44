import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export type Environment = Record<string, string | undefined>

/** The process's environment over the `.env` file of the folder that the server was started in. */
export function readEnvironment(file = '.env'): Environment {
  return { ...readEnvFile(file), ...process.env }
}

function readEnvFile(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}
