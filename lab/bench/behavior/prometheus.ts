// Runs the obfuscator Prometheus (https://github.com/levno-710/Prometheus, GPL-3.0) from a local checkout. Neither it nor
// its output is part of this repository.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export const PRESETS = ['Minify', 'Weak', 'Medium', 'Strong', 'Strong for Luau'] as const
export type Preset = (typeof PRESETS)[number]

/**
 * The preset Strong without hooks of Lua 5.1's debug library in its step AntiTamper. Luau has no such hooks, so what Strong
 * writes stops at once in Roblox as it does in the sandbox.
 */
const STRONG_FOR_LUAU = `return {
  LuaVersion = "Lua51", VarNamePrefix = "", NameGenerator = "MangledShuffled", PrettyPrint = false, Seed = 0,
  Steps = {
    { Name = "Vmify", Settings = {} }, { Name = "EncryptStrings", Settings = {} },
    { Name = "AntiTamper", Settings = { UseDebug = false } }, { Name = "Vmify", Settings = {} },
    { Name = "ConstantArray", Settings = { Treshold = 1, StringsOnly = true, Shuffle = true, Rotate = true, LocalWrapperTreshold = 0 } },
    { Name = "NumbersToExpressions", Settings = {} }, { Name = "WrapInFunction", Settings = {} },
  },
}
`

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
    const configuration = path.join(temporary, 'strong.lua')
    writeFileSync(configuration, STRONG_FOR_LUAU)
    const choice = preset === 'Strong for Luau' ? ['--config', configuration] : ['--preset', preset]
    const args = ['cli.lua', ...choice, '--LuaU', '--out', output, input]
    execFileSync(lua, args, { cwd: folder, timeout: MAX_MS, stdio: 'ignore' })
    return readFileSync(output, 'utf8')
  } catch {
    return undefined
  } finally {
    rmSync(temporary, { recursive: true })
  }
}
