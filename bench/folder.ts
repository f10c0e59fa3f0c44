import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A throwaway folder. PostgreSQL runs as another user when root starts a bench, and has to get through. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'scriptyard-bench-'))
  await chmod(folder, 0o755)
  return folder
}
