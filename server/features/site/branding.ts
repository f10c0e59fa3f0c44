// The look of the site: the admins' choices over defaults and settings, in memory because every page needs them.
import { hash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { accentTokens, type Theme } from '#contract/colors.ts'
import { DEFAULT_SITE } from '#contract/default-site.ts'
import type { Site, SiteLink, SiteText } from '#contract/site.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'

const POLL_MS = 1000
const RETRY_MS = 2000

export interface BrandingRow {
  version: number
  name: string | null
  tagline: string | null
  accent_dark: string | null
  accent_light: string | null
  chat_url: string | null
  links: SiteLink[]
  rules: string | null
  terms: string | null
  privacy: string | null
  /** PNG of 512x512 pixels. */
  logo: Buffer | null
}

export const DEFAULT_BRANDING: Omit<BrandingRow, 'version' | 'logo'> = {
  name: null,
  tagline: null,
  accent_dark: null,
  accent_light: null,
  chat_url: null,
  links: [],
  rules: null,
  terms: null,
  privacy: null,
}
const DEFAULTS: BrandingRow = { version: 0, ...DEFAULT_BRANDING, logo: null }

/** Reads the admins' choices; the defaults if they changed nothing. */
export async function readBranding(db: Database): Promise<BrandingRow> {
  const { rows } = await sql<BrandingRow>`select version, name, tagline, accent_dark, accent_light, chat_url, links,
    rules, terms, privacy, logo from branding`.execute(db)
  return rows[0] ?? DEFAULTS
}

interface BrandingOptions {
  db: Database
  log: Pick<FastifyBaseLogger, 'warn'>
  config: Pick<Config, 'siteName' | 'publicUrl' | 'email' | 'discord'>
  /** Called after a change was loaded: everything that was rendered before is stale. */
  onChange: () => void
}

/** The current look of the site in this process. A change by another process arrives within a second. */
export class Branding {
  readonly #options: BrandingOptions
  #row = DEFAULTS
  #site: Site
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: BrandingOptions) {
    this.#options = options
    this.#site = describeSite(DEFAULTS, options.config)
  }

  async start(): Promise<void> {
    await this.reload()
    this.#schedule(POLL_MS)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  get site(): Site {
    return this.#site
  }

  get name(): string {
    return this.#site.name
  }

  get version(): number {
    return this.#row.version
  }

  get logo(): Buffer | null {
    return this.#row.logo
  }

  get chatUrl(): string | undefined {
    return this.#row.chat_url ?? this.#options.config.discord.inviteUrl
  }

  textOf = (name: SiteText): string | null => this.#row[name]

  get stylesheet(): string | null {
    return writeStylesheet(this.#row)
  }

  async reload(): Promise<void> {
    const row = await readBranding(this.#options.db)
    if (row.version === this.#row.version) return
    this.#row = row
    this.#site = describeSite(row, this.#options.config)
    this.#options.onChange()
  }

  #schedule(ms: number): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#running = this.#poll()
    }, ms)
    this.#timer.unref()
  }

  async #poll(): Promise<void> {
    try {
      const { rows } = await sql<{ version: number }>`select version from branding`.execute(this.#options.db)
      if ((rows[0]?.version ?? 0) !== this.#row.version) await this.reload()
      this.#schedule(POLL_MS)
    } catch (error) {
      this.#options.log.warn({ reason: (error as Error).message }, 'branding read failed')
      this.#schedule(RETRY_MS)
    }
  }
}

/** The site as pages show it. Paths change with their content, so that caches never serve an old file. */
function describeSite(row: BrandingRow, { siteName, publicUrl, email, discord }: BrandingOptions['config']): Site {
  const name = row.name ?? siteName
  const tagline = row.tagline ?? DEFAULT_SITE.tagline
  const stylesheet = writeStylesheet(row)
  const icons = row.logo && `/branding/icon-${tagOf(row.logo)}-`
  const isPreviewDefault = name === DEFAULT_SITE.name && row.tagline === null && !row.logo && !row.accent_dark
  const previewTag = tagOf(JSON.stringify([name, tagline, row.accent_dark, icons]))
  return {
    name,
    public_url: publicUrl,
    has_chat: row.chat_url !== null || discord.inviteUrl !== undefined,
    has_email: email !== undefined,
    discord_cdn_url: discord.cdnUrl,
    tagline,
    logo: icons && `${icons}96.png`,
    links: row.links,
    look: {
      theme_color: row.accent_dark ?? DEFAULT_SITE.look.theme_color,
      stylesheet: stylesheet && `/branding/colors-${tagOf(stylesheet)}.css`,
      icons,
      preview_image: isPreviewDefault ? DEFAULT_SITE.look.preview_image : `/branding/preview-${previewTag}.png`,
    },
    has_rules: true,
  }
}

const tagOf = (content: string | Buffer): string => hash('sha256', content, 'hex').slice(0, 12)

/** Custom properties over those of web/styles.css, with the same selectors; null if no color was chosen. */
function writeStylesheet({ accent_dark, accent_light }: BrandingRow): string | null {
  if (accent_dark === null && accent_light === null) return null
  const light = writeTokens('light', accent_light)
  return [
    `:root:root{${writeTokens('dark', accent_dark)}}`,
    `@media (prefers-color-scheme:light){:root:root:not([data-theme=dark]){${light}}}`,
    `:root:root[data-theme=light]{${light}}`,
  ].join('')
}

const writeTokens = (theme: Theme, chosen: string | null): string =>
  Object.entries(accentTokens(theme, chosen))
    .map(([name, color]) => `${name}:${color}`)
    .join(';')
