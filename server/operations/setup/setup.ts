// The setup of a new site by its owner: the link that the start prints, and the owner's choices.
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { isBucketUrl, parseLocation } from '#server/platform/config/storage.ts'
import { SettingError } from '#server/platform/config/values.ts'
import type { BackupConfig, Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Seal } from '#server/platform/db/seal.ts'

const POLL_MS = 1000
const TOKEN_BYTES = 32

export const hashSetupToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Returns the token of a new link; undefined if there is nothing to set up or the owner skipped it. */
export async function openSetup(db: Database, { adminDiscordIds }: Pick<Config, 'adminDiscordIds'>) {
  if (adminDiscordIds.length > 0) return undefined
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const { rows } = await sql`insert into setup (token_hash) select ${hashSetupToken(token)}
      where not exists (select from members where is_admin)
    on conflict (id) do update set token_hash = excluded.token_hash, finished_at = null, version = setup.version + 1
      where not setup.is_skipped
    returning id`.execute(db)
  return rows.length > 0 ? token : undefined
}

export interface SetupRow {
  version: number
  token_hash: Buffer
  /** Finished or skipped, or somebody is an admin. */
  is_finished: boolean
  discord_client_id: string | null
  sealed_discord_secret: Buffer | null
  admin_discord_id: string | null
  backup_target: string | null
}

/** Undefined if the site never had a setup. */
export async function readSetup(db: Database): Promise<SetupRow | undefined> {
  const { rows } = await sql<SetupRow>`select version, token_hash, discord_client_id, sealed_discord_secret,
      admin_discord_id, backup_target,
      finished_at is not null or exists (select from members where is_admin) as is_finished
    from setup`.execute(db)
  return rows[0]
}

type BackupSettings = Pick<Config, 'backup' | 'backupSchedule' | 'backupS3'>

/** The scheduled backup of a site: settings come first. Throws SettingError for a bucket whose settings are gone. */
export function findBackup(settings: BackupSettings, row: SetupRow | undefined): BackupConfig | undefined {
  const { backup, backupSchedule, backupS3 } = settings
  const target = row?.backup_target
  if (backup || !target) return backup
  if (isBucketUrl(target) && !backupS3) {
    const sentence = `and the three settings after it in .env.example must be set: the setup chose ${target} for backups.`
    throw new SettingError('BACKUP_S3_ENDPOINT', sentence)
  }
  return { target: parseLocation(target, backupS3), ...backupSchedule }
}

export interface DiscordApplication {
  clientId: string
  clientSecret: string
}

interface SetupOptions {
  db: Database
  log: Pick<FastifyBaseLogger, 'warn'>
  config: Pick<Config, 'discord'> & BackupSettings
  seal: Seal
  onChange: () => void
}

/** The owner's choices. While the setup is open, a change by another process arrives within a second. */
export class Setup {
  readonly #options: SetupOptions
  #row: SetupRow | undefined
  #application: DiscordApplication | undefined
  #backup: BackupConfig | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: SetupOptions) {
    this.#options = options
    this.#backup = options.config.backup
  }

  async start(): Promise<void> {
    await this.reload()
    this.#schedule()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  get isOpen(): boolean {
    return this.#row !== undefined && !this.#row.is_finished
  }

  /** Settings come first. */
  get application(): DiscordApplication | undefined {
    const { clientId, clientSecret } = this.#options.config.discord
    return clientId && clientSecret ? { clientId, clientSecret } : this.#application
  }

  /** Settings come first. */
  get backup(): BackupConfig | undefined {
    return this.#backup
  }

  /** Reads run one after the other: an earlier state that arrives late would replace a later one. */
  reload(): Promise<void> {
    const reloading = this.#running.then(() => this.#reload())
    this.#running = reloading.catch(() => {})
    return reloading
  }

  async #reload(): Promise<void> {
    const row = await readSetup(this.#options.db)
    const [old, next] = [this.#row, row].map((one) => one && `${one.version} ${one.is_finished}`)
    if (old === next) return
    this.#row = row
    this.#application = row && this.#openApplication(row)
    this.#backup = this.#findBackup()
    this.#options.onChange()
  }

  #openApplication({ discord_client_id: clientId, sealed_discord_secret: sealed }: SetupRow) {
    if (!clientId || !sealed) return undefined
    try {
      return { clientId, clientSecret: this.#options.seal.open(sealed) }
    } catch (error) {
      this.#options.log.warn({ reason: (error as Error).message }, 'setup Discord application not decrypted')
      return undefined
    }
  }

  /** Undefined if this machine lacks the settings of the bucket, which another one checked. Its next start fails. */
  #findBackup(): BackupConfig | undefined {
    try {
      return findBackup(this.#options.config, this.#row)
    } catch (error) {
      this.#options.log.warn({ reason: (error as Error).message }, 'setup backup disabled')
      return undefined
    }
  }

  // A finished setup changes only at a start.
  #schedule(): void {
    if (this.#isClosed || !this.isOpen) return
    this.#timer = setTimeout(() => {
      void this.reload()
        .catch((error: Error) => this.#options.log.warn({ reason: error.message }, 'setup read failed'))
        .finally(() => this.#schedule())
    }, POLL_MS)
    this.#timer.unref()
  }
}
