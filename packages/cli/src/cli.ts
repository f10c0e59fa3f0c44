#!/usr/bin/env node
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { checkManifest, folderOf, loadCheck, OPTIONS, type Options, type Outcome, report } from './command.ts'
import { CliError, EXIT, usageError } from './errors.ts'
import { createManifest, MANIFEST_FILE, parseSite, readCode, readManifest } from './manifest.ts'
import { publish } from './publish.ts'
import { SiteApi } from './site.ts'
import { getToken, parseToken, storeToken } from './tokens.ts'
import { describeReason, type HoldReason } from './waiting.ts'

const USAGE = `Usage: scriptyard COMMAND [options]

  init       create scriptyard.json      --site URL  --file FILE  --title TITLE
  login      store an API token          --site URL  (reads the token from the terminal or standard input)
  check      compile the code and show what it does, offline
  publish    publish the script, or its code as the next version
                                         --changelog TEXT  --version NUMBER  --create
                                         --wait SECONDS for the check by the site (150)
  status     show the published version, what waits, downloads and behavior

Every command takes --folder FOLDER (by default the current one) and --json. scriptyard --version prints the version of
this program.
Environment: SCRIPTYARD_TOKEN is used instead of the stored token. Without both, a build that the script trusts gets a
token with the ID token of GitHub Actions, or with the one in SCRIPTYARD_ID_TOKEN.
Exit codes: 0 success, 1 rejected, 2 wrong usage, 3 not permitted, 4 not reachable or still being checked, 5 held: the
site has the version, but visitors do not get it until a person has confirmed it.`

function init(options: Options): Outcome {
  const { site, file = 'script.luau', title } = options
  if (!site || !title) throw usageError('scriptyard init needs --site and --title.')
  createManifest(folderOf(options), { site, file, title })
  return { result: { created: MANIFEST_FILE }, text: `Created ${MANIFEST_FILE}. Describe your script in it.` }
}

interface TokenInfo {
  token: { name: string; scopes: string[]; expires_at: string }
  member: { username: string }
}

async function login(options: Options): Promise<Outcome> {
  const site = options.site ? parseSite(options.site) : readManifest(folderOf(options)).site
  report(`Create an API token with the scope scripts:write at ${site}/profile/settings?tab=tokens`)
  const token = parseToken(await readSecret('Token: '))
  if (!token) throw usageError('No token was entered.')
  const body = (await new SiteApi(site, token, report).send('/token')).body as TokenInfo
  const file = storeToken(process.env, site, token)
  const { name, scopes, expires_at } = body.token
  const { username } = body.member
  const missing = scopes.includes('scripts:write') ? '' : ' It lacks the scope scripts:write, which publishing needs.'
  return {
    result: { site, username, scopes, expires_at, file },
    text: `Signed in to ${site} as ${username} with the token “${name}”, until ${expires_at.slice(0, 10)}.${missing}`,
  }
}

/** Reads a line without showing it in the terminal. */
async function readSecret(prompt: string): Promise<string> {
  const { isTTY } = process.stdin
  if (isTTY) process.stderr.write(prompt)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTTY })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTTY) process.stderr.write('\n')
  }
}

async function runCheck(options: Options): Promise<Outcome> {
  const manifest = readManifest(folderOf(options))
  const { describeCheck } = await loadCheck()
  const checked = await checkManifest(manifest, readCode(manifest))
  const exit = checked.compiles === false ? EXIT.failed : EXIT.ok
  return { result: { file: manifest.file, ...checked }, text: describeCheck(manifest.file, checked), exit }
}

interface Behavior {
  status: string
  capabilities?: { id: string }[]
}

interface Waiting {
  version: string
  state: 'checking' | 'held'
  held: { reasons: HoldReason[]; current_at: string | null } | null
}

function describeWaitingVersion({ version, held }: Waiting): string[] {
  if (!held) return [`  Version ${version} is being checked.`]
  const end = held.current_at === null ? 'until it is confirmed in the browser' : `until ${held.current_at}`
  return [`  Version ${version} waits ${end}:`, ...held.reasons.map((reason) => `    ${describeReason(reason)}`)]
}

async function status(options: Options): Promise<Outcome> {
  const manifest = readManifest(folderOf(options))
  if (!manifest.slug) {
    return { result: { status: 'unpublished' }, text: 'Not published yet. Run scriptyard publish.', exit: EXIT.ok }
  }
  const api = new SiteApi(manifest.site, getToken(process.env, manifest.site), report)
  const slug = encodeURIComponent(manifest.slug)
  const { script } = (await api.send(`/scripts/${slug}`)).body as { script: Record<string, unknown> }
  const { behavior } = (await api.send(`/scripts/${slug}/behavior`)).body as { behavior: Behavior }
  const sha256 = createHash('sha256').update(readCode(manifest)).digest('hex')
  const isCurrent = sha256 === script['content_sha256']
  const url = `${manifest.site}/scripts/${String(script['slug'])}`
  const { version, download_count, view_count, rating_average, rating_count } = script
  // Sites of before have no such field.
  const waiting = (script['waiting'] ?? null) as Waiting | null
  return {
    result: {
      status: isCurrent ? 'current' : 'outdated',
      url,
      version,
      download_count,
      view_count,
      rating_average,
      rating_count,
      behavior: behavior.status,
      waiting,
    },
    text: [
      `${String(script['title'])} ${String(version)}, ${url}`,
      isCurrent ? '  The published code is the code here.' : `  The code here differs: run scriptyard publish.`,
      `  ${String(download_count)} downloads, ${String(view_count)} views, rating ${String(rating_average)} (${String(rating_count)})`,
      `  Behavior card: ${behavior.status}`,
      ...(waiting ? describeWaitingVersion(waiting) : []),
    ].join('\n'),
  }
}

const COMMANDS: Readonly<Record<string, (options: Options) => Outcome | Promise<Outcome>>> = {
  init,
  login,
  check: runCheck,
  publish,
  status,
}

function readArguments(): { command: string; options: Options } {
  try {
    const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
    const [command = '', ...others] = positionals
    if (others.length > 0) throw usageError(`Unknown argument ${others[0]}.`)
    return { command, options: values }
  } catch (error) {
    throw error instanceof CliError ? error : usageError(error instanceof Error ? error.message : String(error))
  }
}

/** The version of the package: its description lies beside this file in the built package, else a folder above. */
function readVersion(): string {
  const file = ['package.json', '../package.json']
    .map((name) => new URL(name, import.meta.url))
    .find((url) => existsSync(url))
  return file ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : 'unknown'
}

async function main(): Promise<void> {
  if (process.argv.slice(2).join() === '--version') {
    console.log(readVersion())
    return
  }
  const { command, options } = readArguments()
  if (options.help || command === '' || command === 'help') {
    console.log(USAGE)
    if (!options.help && command === '') process.exitCode = EXIT.usage
    return
  }
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
  if (!run) throw usageError(`Unknown command ${command}. Run scriptyard --help.`)
  const { result, text, exit = EXIT.ok } = await run(options)
  console.log(options.json ? JSON.stringify(result) : text)
  process.exitCode = exit
}

function fail(error: unknown): void {
  const { message, code, exit, fields } =
    error instanceof CliError
      ? error
      : new CliError('failed', EXIT.failed, String(error instanceof Error ? error.message : error))
  if (process.argv.includes('--json')) console.log(JSON.stringify({ error: message, code, fields }))
  else
    report(
      [
        message,
        ...Object.entries(fields)
          .filter(([, text]) => text !== message)
          .map(([name, text]) => `  ${name}: ${text}`),
      ].join('\n'),
    )
  process.exitCode = exit
}

await main().catch(fail)
