import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const MODULE = 'src/lib/Luau.Web.JSPI.js'

/**
 * The WebAssembly of the Luau compiler and VM, out of the JavaScript file of `luau-web` that embeds it as base64. As a
 * file of its own it is a third smaller, and browsers need none of the package's code to check whether a script compiles.
 */
export function readLuauCompiler(): Uint8Array<ArrayBuffer> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('luau-web/package.json'))
  const text = readFileSync(path.join(folder, MODULE), 'utf8')
  const base64 = /base64Decode\("([A-Za-z0-9+/=]+)"\)/.exec(text)?.[1]
  if (!base64) throw new Error(`${MODULE} of luau-web embeds no WebAssembly.`)
  return new Uint8Array(Buffer.from(base64, 'base64'))
}
