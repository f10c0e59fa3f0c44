// Runs the obfuscator Prometheus (https://github.com/levno-710/Prometheus, GPL-3.0) from a local checkout. Neither it nor
// its output is part of this repository.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export const PRESETS = ['Minify', 'Weak', 'Medium', 'Strong'] as const
export type Preset = (typeof PRESETS)[number]

const MAX_MS = 20_000

/** The obfuscated code, or undefined where Prometheus fails: it does not know all of Luau. */
export function obfuscate(
  code: string,
  { folder, lua, preset }: { folder: string; lua: string; preset: Preset },
): string | undefined {
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'prometheus-'))
  const [input, output] = [path.join(temporary, 'in.lua'), path.join(temporary, 'out.lua')]
  try {
    writeFileSync(input, code)
    const args = ['cli.lua', '--preset', preset, '--LuaU', '--out', output, input]
    execFileSync(lua, args, { cwd: folder, timeout: MAX_MS, stdio: 'ignore' })
    return readFileSync(output, 'utf8')
  } catch {
    return undefined
  } finally {
    rmSync(temporary, { recursive: true })
  }
}
