import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const MODULE = 'src/lib/Luau.Web.JSPI.js'

/** The compiler's WebAssembly out of luau-web's JavaScript: a third smaller, and browsers need nothing else of it. */
export function readLuauCompiler(): Uint8Array<ArrayBuffer> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('luau-web/package.json'))
  const text = readFileSync(path.join(folder, MODULE), 'utf8')
  const base64 = /base64Decode\("([A-Za-z0-9+/=]+)"\)/.exec(text)?.[1]
  if (!base64) throw new Error(`${MODULE} of luau-web embeds no WebAssembly.`)
  return new Uint8Array(Buffer.from(base64, 'base64'))
}
