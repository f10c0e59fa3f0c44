#!/usr/bin/env node
import { firstLine, MAX_CHANGELOG_LENGTH } from '@scriptyard/text'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { CliError, EXIT, usageError } from './errors.ts'
import {
  createManifest,
  type Manifest,
  MANIFEST_FILE,
  parseSite,
  readCode,
  readManifest,
  writeSlug,
} from './manifest.ts'
import { SiteApi } from './site.ts'
import { findToken, getToken, parseToken, storeToken } from './tokens.ts'
import { exchangeIdToken } from './trusted-publishing.ts'

const USAGE = `Usage: scriptyard COMMAND [options]

  init       create scriptyard.json      --site URL  --file FILE  --title TITLE
  login      store an API token          --site URL  (reads the token from the terminal or standard input)
  check      compile the code and show what it does, offline
  publish    publish the script, or its code as the next version
                                         --changelog TEXT  --version NUMBER  --create
  status     show the published version, downloads and behavior

Every command takes --folder FOLDER (by default the current one) and --json. scriptyard --version prints the version of
this program.
Environment: SCRIPTYARD_TOKEN is used instead of the stored token. Without both, a build that the script trusts gets a
token with the ID token of GitHub Actions, or with the one in SCRIPTYARD_ID_TOKEN.`

const OPTIONS = {
  site: { type: 'string' },
  file: { type: 'string' },
  title: { type: 'string' },
  folder: { type: 'string' },
  changelog: { type: 'string' },
  version: { type: 'string' },
  create: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Options = Partial<Record<'site' | 'file' | 'title' | 'folder' | 'changelog' | 'version', string>> &
  Partial<Record<'create' | 'json' | 'help', boolean>>

interface Outcome {
  result: object
  text: string
  exit?: number
}

/** Progress goes to standard error, results to standard output. */
const report = (text: string) => process.stderr.write(`${text}\n`)

const folderOf = ({ folder }: Options): string => folder ?? process.cwd()

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

// Loaded when needed: the compiler and the analyzer take most of the time to start.
const loadCheck = () => import('./check.ts')

async function checkManifest({ script }: Manifest, code: string) {
  const { check } = await loadCheck()
  return check(code, { capabilities: script['declared_capabilities'], hosts: script['declared_hosts'] })
}

async function runCheck(options: Options): Promise<Outcome> {
  const manifest = readManifest(folderOf(options))
  const { describeCheck } = await loadCheck()
  const found = await checkManifest(manifest, readCode(manifest))
  const exit = found.compiles === false ? EXIT.failed : EXIT.ok
  return { result: { file: manifest.file, ...found }, text: describeCheck(manifest.file, found), exit }
}

interface Stored {
  script: { id: number; slug: string; title: string }
  version: { number: number; version: string }
}

async function publish(options: Options): Promise<Outcome> {
  const manifest = readManifest(folderOf(options))
  const code = readCode(manifest)
  const { error } = await checkManifest(manifest, code)
  if (error) {
    throw new CliError('does_not_compile', EXIT.failed, `${manifest.file}, line ${error.line}: ${error.message}`)
  }
  const { site, slug } = manifest
  const token = findToken(process.env, site)
  const buildToken = token || !slug ? undefined : await exchangeIdToken(process.env, { site, slug }, report)
  const api = new SiteApi(site, buildToken ?? getToken(process.env, site), report)
  if (!slug) return create(api, manifest, code, options)
  return addVersion(api, manifest, code, { ...options, isTrustedBuild: buildToken !== undefined })
}

async function create(api: SiteApi, manifest: Manifest, code: string, options: Options): Promise<Outcome> {
  // A build has no memory of the slug, so each run would publish the script again.
  if (process.env['CI'] && !options.create) {
    throw usageError(
      `${MANIFEST_FILE} has no slug. Run scriptyard publish on your computer once and commit the file, or pass --create.`,
    )
  }
  report(`Publishing ${manifest.file} to ${manifest.site}...`)
  const body = { ...manifest.script, ...(options.version ? { version: options.version } : {}), script_content: code }
  const key = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const headers = { 'idempotency-key': key }
  const created = (await api.send('/scripts', { method: 'POST', body, headers })).body as Pick<Stored, 'script'>
  const { slug } = created.script
  const url = `${manifest.site}/scripts/${slug}`
  try {
    writeSlug(manifest, slug)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    report(`${MANIFEST_FILE} could not be changed (${reason}). Add "slug": "${slug}" to it before you publish again.`)
  }
  return { result: { status: 'created', slug, url }, text: `Published ${url}` }
}

async function addVersion(
  api: SiteApi,
  manifest: Manifest,
  code: string,
  options: Options & { isTrustedBuild: boolean },
): Promise<Outcome> {
  const { site, script, file } = manifest
  const slug = encodeURIComponent(manifest.slug ?? '')
  const { declared_capabilities, declared_hosts, version: named, ...described } = script
  report(`Sending ${file} to ${site}...`)
  const version = options.version ?? named
  // In a build, it is the message of a commit.
  const changelog = firstLine(options.changelog ?? '', MAX_CHANGELOG_LENGTH)
  const body = {
    script_content: code,
    ...(version === undefined ? {} : { version }),
    ...(changelog ? { changelog } : {}),
    ...(declared_capabilities === undefined ? {} : { declared_capabilities }),
    ...(declared_hosts === undefined ? {} : { declared_hosts }),
  }
  const response = await api.send(`/scripts/${slug}/versions`, { method: 'PUT', body })
  const stored = response.body as Stored
  // The token of a trusted build publishes versions and nothing else.
  const changed = options.isTrustedBuild ? [] : await changeDescription(api, slug, described)
  const url = `${site}/scripts/${stored.script.slug}`
  const isNew = response.status === 201
  const headline = isNew
    ? `Published version ${stored.version.version}`
    : `Version ${stored.version.version} is current already`
  return {
    result: { status: isNew ? 'added' : 'unchanged', slug: stored.script.slug, url, ...stored, changed },
    text: `${headline}: ${url}${changed.length > 0 ? `\nChanged ${changed.join(', ')}.` : ''}`,
  }
}

/** Sends the fields that differ from what is published. A token that cannot read a private script sends them all. */
async function changeDescription(api: SiteApi, slug: string, described: Record<string, unknown>): Promise<string[]> {
  const published = await findScript(api, slug)
  const fields = Object.entries(described).filter(
    ([name, value]) =>
      !published || !isSame(value, name === 'summary' ? published['summary_setting'] : published[name]),
  )
  if (fields.length === 0) return []
  try {
    await api.send(`/scripts/${slug}`, { method: 'PATCH', body: Object.fromEntries(fields) })
  } catch (error) {
    if (!(error instanceof CliError && error.code === 'insufficient_scope')) throw error
    report('The token publishes versions only, so other fields of the manifest stay as they are.')
    return []
  }
  return published ? fields.map(([name]) => name) : []
}

const namesOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((tag: unknown) => (typeof tag === 'object' && tag !== null && 'name' in tag ? tag.name : tag))
    : value
const isSame = (one: unknown, other: unknown) => JSON.stringify(namesOf(one)) === JSON.stringify(namesOf(other))

async function findScript(api: SiteApi, slug: string): Promise<Record<string, unknown> | undefined> {
  try {
    const { body } = await api.send(`/scripts/${slug}`)
    return (body as { script: Record<string, unknown> }).script
  } catch (error) {
    if (error instanceof CliError && error.code === 'script_not_found') return undefined
    throw error
  }
}

interface Behavior {
  status: string
  capabilities?: { id: string }[]
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
    },
    text: [
      `${String(script['title'])} ${String(version)}, ${url}`,
      isCurrent ? '  The published code is the code here.' : `  The code here differs: run scriptyard publish.`,
      `  ${String(download_count)} downloads, ${String(view_count)} views, rating ${String(rating_average)} (${String(rating_count)})`,
      `  Behavior card: ${behavior.status}`,
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
