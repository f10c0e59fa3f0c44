// Publishes the script of a folder, or its code as the next version, and waits for what the site says about it.
import { firstLine, MAX_SUBJECT_LENGTH } from '@scriptyard/text'
import { createHash } from 'node:crypto'
import { checkManifest, folderOf, type Options, type Outcome, report } from './command.ts'
import { CliError, EXIT, usageError } from './errors.ts'
import { type Manifest, MANIFEST_FILE, readCode, readManifest, writeSlug } from './manifest.ts'
import { SiteApi } from './site.ts'
import { findToken, getToken } from './tokens.ts'
import { exchangeIdToken } from './trusted-publishing.ts'
import { describeWaiting, parseWait, readVersion, type SentVersion, waitForCheck } from './waiting.ts'

interface Stored {
  script: { id: number; slug: string; title: string }
  version: SentVersion
}

export async function publish(options: Options): Promise<Outcome> {
  const seconds = parseWait(options.wait)
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
  const sending = { api, manifest, code, options, seconds, isTrustedBuild: buildToken !== undefined }
  try {
    return await (slug ? addVersion(sending, slug) : create(sending))
  } catch (failure) {
    throw explain(failure, { site, slug, sha256: hash(code) })
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** Adds what to do to a sentence of the site that does not say it. */
function explain(error: unknown, { site, slug, sha256 }: { site: string; slug: string | undefined; sha256: string }) {
  if (!(error instanceof CliError)) return error
  const advice: Readonly<Record<string, string>> = {
    withdrawn_code: `Why: ${site}/api/v1/withdrawn?sha256=${sha256}`,
    token_not_for_script: `Use a token for ${slug}, or correct the slug in ${MANIFEST_FILE}.`,
  }
  const more = Object.hasOwn(advice, error.code) ? ` ${advice[error.code]}` : ''
  return new CliError(error.code, error.exit, `${error.message}${more}`, error.fields)
}

interface Sending {
  api: SiteApi
  manifest: Manifest
  code: string
  options: Options
  seconds: number
  isTrustedBuild: boolean
}

async function create({ api, manifest, code, options, seconds }: Sending): Promise<Outcome> {
  // A build has no memory of the slug, so each run would publish the script again.
  if (process.env['CI'] && !options.create) {
    throw usageError(
      `${MANIFEST_FILE} has no slug. Run scriptyard publish on your computer once and commit the file, or pass --create.`,
    )
  }
  report(`Publishing ${manifest.file} to ${manifest.site}...`)
  const body = { ...manifest.script, ...(options.version ? { version: options.version } : {}), script_content: code }
  const headers = { 'idempotency-key': hash(JSON.stringify(body)) }
  const created = (await api.send('/scripts', { method: 'POST', body, headers })).body as Pick<Stored, 'script'>
  const { slug } = created.script
  const url = `${manifest.site}/scripts/${slug}`
  try {
    writeSlug(manifest, slug)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    report(`${MANIFEST_FILE} could not be changed (${reason}). Add "slug": "${slug}" to it before you publish again.`)
  }
  // The token of a private script may not be able to read it.
  const sent = await readVersion(api, slug, 1)
  const version = sent && (await waitForCheck({ api, slug, url, seconds, report }, sent))
  return conclude({ status: 'created', slug, url, ...(version && { version }) }, { seconds, text: `Published ${url}` })
}

interface Published {
  status: 'created' | 'added' | 'unchanged'
  slug: string
  url: string
  script?: Stored['script']
  version?: SentVersion
}

/** The outcome of a publication whose version visitors get, unless it waits. */
function conclude(published: Published, { seconds, text }: { seconds: number; text: string }): Outcome {
  const { version, url } = published
  const waiting = version && describeWaiting(version, { url, seconds })
  const result = {
    ...published,
    ...(version?.state !== undefined && { state: version.state }),
    ...(waiting && { message: waiting.text }),
  }
  return { result, text: waiting?.text ?? text, exit: waiting?.exit ?? EXIT.ok }
}

async function addVersion({ api, manifest, code, ...sending }: Sending, manifestSlug: string): Promise<Outcome> {
  const { options, seconds, isTrustedBuild } = sending
  const { site, script, file } = manifest
  const path = `/scripts/${encodeURIComponent(manifestSlug)}`
  const { declared_capabilities, declared_hosts, version: named, ...described } = script
  report(`Sending ${file} to ${site}...`)
  const number = options.version ?? named
  // In a build, it is the message of a commit.
  const changelog = firstLine(options.changelog ?? '', MAX_SUBJECT_LENGTH)
  const declaration = {
    ...(declared_capabilities === undefined ? {} : { declared_capabilities }),
    ...(declared_hosts === undefined ? {} : { declared_hosts }),
  }
  const body = {
    script_content: code,
    ...(number === undefined ? {} : { version: number }),
    ...(changelog ? { changelog } : {}),
    ...declaration,
  }
  const response = await api.send(`${path}/versions`, { method: 'PUT', body })
  const { script: stored, version: sent } = response.body as Stored
  const { slug } = stored
  const url = `${site}/scripts/${slug}`
  const isNew = response.status !== 200
  // The first version waits for a declaration, which the request with unchanged code does not change.
  const waitsForDeclaration = !isNew && sent.state === 'held' && sent.is_current === true
  const fields = waitsForDeclaration ? { ...described, ...declaration } : described
  // The token of a trusted build publishes versions and nothing else.
  const changed = isTrustedBuild ? [] : await changeDescription(api, path, fields)
  const known = (waitsForDeclaration ? await readVersion(api, slug, sent.number) : null) ?? sent
  const version = await waitForCheck({ api, slug, url, seconds, report }, known)
  const isCurrentAlready = !isNew && (sent.state === undefined || sent.state === 'current')
  const headline = isCurrentAlready
    ? `Version ${version.version} is current already`
    : `Published version ${version.version}`
  const outcome = conclude(
    { status: isNew ? 'added' : 'unchanged', slug, url, script: stored, version },
    { seconds, text: `${headline}: ${url}` },
  )
  return {
    ...outcome,
    result: { ...outcome.result, changed },
    text: `${outcome.text}${changed.length > 0 ? `\nChanged ${changed.join(', ')}.` : ''}`,
  }
}

/** Sends the fields that differ from what is published. A token that cannot read a private script sends them all. */
async function changeDescription(api: SiteApi, path: string, described: Record<string, unknown>): Promise<string[]> {
  const published = await findScript(api, path)
  const fields = Object.entries(described).filter(
    ([name, value]) =>
      !published || !isSame(value, name === 'summary' ? published['summary_setting'] : published[name]),
  )
  if (fields.length === 0) return []
  try {
    await api.send(path, { method: 'PATCH', body: Object.fromEntries(fields) })
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

async function findScript(api: SiteApi, path: string): Promise<Record<string, unknown> | undefined> {
  try {
    const { body } = await api.send(path)
    return (body as { script: Record<string, unknown> }).script
  } catch (error) {
    if (error instanceof CliError && error.code === 'script_not_found') return undefined
    throw error
  }
}
