import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { BodyOf } from '#contract/operations.ts'
import type { SetupState } from '#contract/setup.ts'
import {
  describeLocation,
  isBucketUrl,
  parseLocation,
  type S3Access,
  type StorageLocation,
} from '#server/platform/config/storage.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Seal } from '#server/platform/db/seal.ts'
import { callbackUrl, type CheckApplication } from '#server/features/accounts/discord.ts'
import { writeAudit } from '#server/platform/audit/audit.ts'
import type { Caller } from '#server/platform/authorization/guards.ts'
import { probeStorage, StorageError } from '#server/operations/backup/storage.ts'
import { transactAsMember } from '#server/features/members/standing.ts'
import type { Branding } from '#server/features/site/branding.ts'
import { nameSite } from '#server/features/site/change-branding.ts'
import { AppError, notFound } from '#server/platform/http/errors.ts'
import { invalidField } from '#server/platform/http/field-errors.ts'
import { hashSetupToken, readSetup, type Setup, type SetupRow } from './setup.ts'

export interface SetupChangeOptions {
  db: Database
  setup: Setup
  branding: Branding
  config: Pick<Config, 'discord' | 'backup' | 'backupS3' | 'publicUrl' | 'dataDir'>
  seal: Seal
  checkApplication: CheckApplication
}

type Change = BodyOf<'POST /api/setup'>

/** Throws AppError `not_found` once the setup is finished, `setup_link_invalid`, `setting_fixed` and `invalid`. */
export async function changeSetup(
  options: SetupChangeOptions,
  caller: Caller | undefined,
  body: Change,
): Promise<SetupState> {
  const { db, setup } = options
  const row = requireOpen(await readSetup(db), body.token)
  const warning = await apply(options, caller, body)
  await setup.reload()
  await options.branding.reload()
  const state = describe(options, (await readSetup(db)) ?? row)
  return warning ? { ...state, warning } : state
}

function requireOpen(row: SetupRow | undefined, token: string): SetupRow {
  if (!row || row.is_finished) throw notFound('The setup')
  // Hashes of a random token: the time of their comparison reveals nothing about it.
  if (row.token_hash.equals(hashSetupToken(token))) return row
  const message = 'This setup link is no longer valid. Open the newest link that the site printed when it started.'
  throw new AppError('setup_link_invalid', 403, message)
}

/** Returns a warning about what was saved without a check. */
async function apply(
  options: SetupChangeOptions,
  caller: Caller | undefined,
  body: Change,
): Promise<string | undefined> {
  const { db } = options
  switch (body.action) {
    case 'read':
      break
    case 'save_name':
      await nameSite(options, body.name)
      break
    case 'save_discord':
      return saveApplication(options, body)
    case 'save_backup':
      await saveBackup(options, body.target)
      break
    case 'save_admin':
      await saveAdmin(db, body.discord_id)
      break
    case 'claim_admin':
      await claimAdmin(db, caller, body.token)
      break
    case 'skip':
      await sql`update setup set is_skipped = true, finished_at = now(), version = version + 1`.execute(db)
      break
    case 'finish':
      await sql`update setup set finished_at = now(), version = version + 1`.execute(db)
      break
  }
  return undefined
}

const CLIENT_ID = /^[0-9]{15,25}$/
const CLIENT_SECRET = /^[\w-]{20,100}$/

async function saveApplication(
  { db, config, seal, checkApplication }: SetupChangeOptions,
  { client_id, client_secret }: Extract<Change, { action: 'save_discord' }>,
): Promise<string | undefined> {
  if (config.discord.clientId) throw fixedBySetting('DISCORD_CLIENT_ID')
  const [clientId, clientSecret] = [client_id.trim(), client_secret.trim()]
  if (!CLIENT_ID.test(clientId)) {
    throw invalidField('client_id', 'The client ID is a number of 17 to 20 digits. Copy it from the page “OAuth2”.')
  }
  if (!CLIENT_SECRET.test(clientSecret)) {
    throw invalidField(
      'client_secret',
      'This is not a client secret. Press “Reset Secret” on the page “OAuth2” and copy it.',
    )
  }
  const outcome = await checkApplication({ clientId, clientSecret })
  if (outcome === 'rejected') {
    throw invalidField('client_secret', 'Discord does not accept this client ID with this secret. Copy both again.')
  }
  await sql`update setup set discord_client_id = ${clientId}, sealed_discord_secret = ${seal.seal(clientSecret)},
    version = version + 1`.execute(db)
  return outcome === 'accepted' ? undefined : 'Saved, but not checked: Discord could not be reached.'
}

async function saveBackup({ db, config }: SetupChangeOptions, input: string | null): Promise<void> {
  if (config.backup) throw fixedBySetting('BACKUP_TARGET')
  let target = input?.trim() || null
  if (target !== null && isBucketUrl(target)) target = await checkBucket(target, config.backupS3)
  else if (target !== null) await requireFolder(target, config.dataDir)
  await sql`update setup set backup_target = ${target}, version = version + 1`.execute(db)
}

/** The browser waits for it. */
const PROBE_TIMEOUT_MS = 15_000

const UNREACHABLE =
  'The storage cannot be reached. Check BACKUP_S3_ENDPOINT and the network of the server, then try again.'
const BUCKET_PROBLEMS: Partial<Record<StorageError['problem'], string>> = {
  rejected: 'The storage rejects the key of the site. Check the BACKUP_S3 settings and what the key may do.',
  missing: 'There is no such bucket. Create it, or correct its name.',
  damaged: 'The storage returns other bytes than what was written. Check it, or choose a folder.',
}

/** Returns the normalized URL. Throws AppError `invalid` unless the site can write, read, list and remove objects there. */
async function checkBucket(target: string, access: S3Access | undefined): Promise<string> {
  if (!access) {
    throw invalidField(
      'target',
      'The site has no key for buckets. Set BACKUP_S3_ENDPOINT and the three settings after it in .env.example and restart the site, or choose a folder.',
    )
  }
  const location = parseBucket(target, access)
  const probe = probeStorage(location).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
    throw invalidField('target', BUCKET_PROBLEMS[error.problem] ?? UNREACHABLE)
  })
  const timeout = sleep(PROBE_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw invalidField('target', UNREACHABLE)
  })
  await Promise.race([probe, timeout])
  return describeLocation(location)
}

function parseBucket(target: string, access: S3Access): StorageLocation {
  try {
    return parseLocation(target, access)
  } catch {
    throw invalidField('target', 'Enter the bucket as s3://bucket/prefix, for example s3://my-backups/scriptyard.')
  }
}

async function requireFolder(target: string, dataDir: string): Promise<void> {
  if (!path.isAbsolute(target)) throw invalidField('target', 'Enter an absolute path, such as /backups.')
  const toDataDir = path.relative(dataDir, path.resolve(target))
  if (toDataDir === '' || !(toDataDir.startsWith('..') || path.isAbsolute(toDataDir))) {
    throw invalidField(
      'target',
      'This folder is inside the data folder of the site. Choose a folder elsewhere, preferably on another disk.',
    )
  }
  const probe = path.join(target, `.scriptyard-${process.pid}`)
  try {
    // Not recursive: below /proc, Node's recursive mkdir never returns.
    await mkdir(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await writeFile(probe, '')
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw invalidField(
      'target',
      isMissing
        ? 'The folder above this one does not exist. Create it first, or choose another.'
        : 'The site cannot write to this folder. Choose another, or give the user that runs the site access.',
    )
  } finally {
    await rm(probe, { force: true }).catch(() => {})
  }
}

async function saveAdmin(db: Database, input: string): Promise<void> {
  const id = input.trim()
  if (!/^[1-9][0-9]{15,19}$/.test(id)) {
    throw invalidField('discord_id', 'A Discord ID is a number of 17 to 20 digits, not a name. Copy it in Discord.')
  }
  await sql`update setup set admin_discord_id = ${id}, version = version + 1`.execute(db)
}

/** Makes the signed-in owner an admin, which ends the setup. */
async function claimAdmin(db: Database, caller: Caller | undefined, token: string): Promise<void> {
  if (!caller || caller.isToken) throw new AppError('sign_in_required', 401, 'Sign in with Discord first.')
  await transactAsMember(db, { memberId: caller.id, allowMuted: true, exclusive: true }, async (trx) => {
    // The lock lets one of two browsers with the same link win.
    const { rows } = await sql`update setup set finished_at = now(), version = version + 1
      where finished_at is null and token_hash = ${hashSetupToken(token)}
        and not exists (select from members where is_admin) returning id`.execute(trx)
    if (rows.length === 0) throw notFound('The setup')
    await trx.updateTable('members').set({ is_admin: true }).where('id', '=', caller.id).execute()
    await writeAudit(trx, {
      actorId: caller.id,
      action: 'admin_by_setup',
      subjectType: 'member',
      subjectId: caller.id,
      memberId: caller.id,
      before: { is_admin: false },
      after: { is_admin: true },
    })
  })
}

const fixedBySetting = (name: string) =>
  new AppError(
    'setting_fixed',
    409,
    `This is set by the server setting ${name}. Remove that setting to change it here.`,
  )

function describe({ config, branding }: SetupChangeOptions, row: SetupRow): SetupState {
  const { discord, backup, publicUrl } = config
  return {
    is_finished: row.is_finished,
    name: branding.name,
    discord: {
      client_id: discord.clientId ?? row.discord_client_id,
      is_fixed: discord.clientId !== undefined,
      redirect_url: callbackUrl(publicUrl),
    },
    backup: { target: backup ? describeLocation(backup.target) : row.backup_target, is_fixed: backup !== undefined },
    admin: { discord_id: row.admin_discord_id },
  }
}
