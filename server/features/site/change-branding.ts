import { isColor, describeAccentProblem, type Theme } from '#contract/colors.ts'
import { sql } from 'kysely'
import type { Branding as BrandingView } from '#contract/branding.ts'
import { DEFAULT_SITE } from '#contract/default-site.ts'
import { MAX_HEADER_LINKS } from '#contract/limits.ts'
import type { BodyOf } from '#contract/operations.ts'
import { SITE_TEXTS, type SiteLink } from '#contract/site.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import { lockAdmin } from '#server/features/members/standing.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { FieldErrors, invalidField } from '#server/platform/http/field-errors.ts'
import { parseOptionalLine, parseOptionalText } from '#server/platform/http/text.ts'
import { type Branding, type BrandingRow, readBranding } from './branding.ts'
import { readLogo } from './logo.ts'

export interface ChangeOptions {
  db: Database
  branding: Branding
  config: Pick<Config, 'siteName' | 'discord'>
}

/** The admins' choices, from the database: another process may just have changed them. */
export async function getBranding({ db, branding, config }: ChangeOptions): Promise<BrandingView> {
  const { logo: _bytes, ...row } = await readBranding(db)
  if (row.version !== branding.version) await branding.reload()
  return {
    ...row,
    logo: branding.site.logo,
    defaults: { name: config.siteName, tagline: DEFAULT_SITE.tagline, chat_url: config.discord.inviteUrl ?? null },
  }
}

/** Throws AppError `invalid`, and `branding_changed` if another admin was faster. */
export async function changeBranding(
  options: ChangeOptions,
  adminId: number,
  { version, logo, ...input }: BodyOf<'PUT /api/branding'>,
): Promise<BrandingView> {
  const { db, branding } = options
  const values = cleanValues(input)
  const drawn = typeof logo === 'string' ? await readLogo(logo) : logo
  await db.transaction().execute(async (trx) => {
    await lockAdmin(trx, adminId)
    await sql`insert into branding (version) values (0) on conflict do nothing`.execute(trx)
    await sql`select from branding for update`.execute(trx)
    const before = await readBranding(trx)
    if (before.version !== version) throw changedByOther()
    const after: BrandingRow = {
      ...values,
      version: version + 1,
      logo: drawn === undefined ? before.logo : drawn,
    }
    await trx
      .updateTable('branding')
      .set({ ...after, links: JSON.stringify(after.links) })
      .execute()
    await writeAudit(trx, {
      actorId: adminId,
      action: 'change_branding',
      subjectType: 'site',
      subjectId: 0,
      ...differences(before, after),
    })
  })
  await branding.reload()
  return getBranding(options)
}

const NAME = { field: 'name', label: 'The name' }

/** Throws AppError `invalid`. */
export async function nameSite({ db, branding }: Pick<ChangeOptions, 'db' | 'branding'>, input: string): Promise<void> {
  const name = parseOptionalLine(input, NAME)
  if (name === null) throw invalidField('name', 'Enter a name for the site.')
  await sql`insert into branding (version, name) values (1, ${name})
    on conflict (id) do update set name = excluded.name, version = branding.version + 1`.execute(db)
  await branding.reload()
}

const changedByOther = () =>
  new AppError('branding_changed', 409, 'Another admin changed the branding. Load their changes, then save again.')

type Values = Omit<BrandingRow, 'version' | 'logo'>

/** Trimmed values, with null for what is empty. Throws AppError `invalid` that names every wrong field. */
function cleanValues(input: Values): Values {
  const errors = new FieldErrors()
  const values: Values = {
    name: parseOptionalLine(input.name, NAME, errors),
    tagline: parseOptionalLine(input.tagline, { field: 'tagline' }, errors),
    accent_dark: input.accent_dark?.toLowerCase() ?? null,
    accent_light: input.accent_light?.toLowerCase() ?? null,
    chat_url: parseOptionalLine(input.chat_url, { field: 'chat_url', label: 'The chat link' }, errors),
    links: input.links.map(({ label, url, in_header }) => ({
      label: parseOptionalLine(label, { field: 'links', label: 'Labels of links' }, errors) ?? '',
      url: url.trim(),
      in_header,
    })),
    rules: parseOptionalText(input.rules, { field: 'rules' }, errors),
    terms: parseOptionalText(input.terms, { field: 'terms' }, errors),
    privacy: parseOptionalText(input.privacy, { field: 'privacy' }, errors),
  }
  checkColor(errors, 'dark', values.accent_dark)
  checkColor(errors, 'light', values.accent_light)
  if (values.chat_url !== null && !isWebUrl(values.chat_url)) {
    errors.add('chat_url', 'The chat link must be a URL that starts with https://.')
  }
  checkLinks(errors, values.links)
  errors.throwIfAny()
  return values
}

function checkColor(errors: FieldErrors, theme: Theme, color: string | null): void {
  if (color === null) return
  const problem = isColor(color) ? describeAccentProblem(theme, color) : 'Enter a color such as #7c3aed.'
  if (problem) errors.add(`accent_${theme}`, problem)
}

function checkLinks(errors: FieldErrors, links: readonly SiteLink[]): void {
  for (const { label, url } of links) {
    if (label === '') errors.add('links', 'Each link needs a label.')
    if (!isWebUrl(url) && !isPath(url)) {
      errors.add('links', 'Each link needs a URL that starts with https://, or a path such as /popular.')
    }
  }
  if (links.filter(({ in_header }) => in_header).length > MAX_HEADER_LINKS) {
    errors.add('links', `The header has room for ${MAX_HEADER_LINKS} links. Show the others in the footer only.`)
  }
}

function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** A path of this site; two slashes would lead to another one. */
const isPath = (text: string): boolean => /^\/(?![/\\])[^\s\\]*$/.test(text)

/** The changed fields, for the audit log. Long texts are shortened; of the logo only the size is recorded. */
function differences(before: BrandingRow, after: BrandingRow): { before: object; after: object } {
  const [old, next] = [summarize(before), summarize(after)]
  const changed = Object.keys(next).filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]))
  const pick = (all: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, all[name]]))
  return { before: pick(old), after: pick(next) }
}

function summarize({ version: _version, logo, ...row }: BrandingRow): Record<string, unknown> {
  const texts = SITE_TEXTS.map((name) => [
    name,
    row[name] && `${row[name].length} characters: ${row[name].slice(0, 200)}`,
  ])
  return { ...row, ...Object.fromEntries(texts), logo: logo && `${logo.length} bytes` }
}
