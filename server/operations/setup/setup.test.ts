import { createServer } from 'node:http'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BodyOf } from '#contract/operations.ts'
import type { SetupState } from '#contract/setup.ts'
import type { S3Access } from '#server/platform/config/storage.ts'
import type { Config } from '#server/platform/config.ts'
import { createAppOn, createTestApp, type TestApp } from '#tests/support/app.ts'
import { makeMember, signIn } from '#tests/support/factories.ts'
import { startS3, type TestS3 } from '#tests/support/s3.ts'
import { completeSignIn, createSignInSite } from '#tests/support/sign-in.ts'
import { findBackup, openSetup, readSetup } from './setup.ts'

type Action = BodyOf<'POST /api/setup'>
type Result = SetupState & { error: string; code: string; fields?: Record<string, string> }

const CLIENT_ID = '123456789012345678'
const SECRET = 'Right-secret_of-the-application1'

/** Discord's token endpoint, which knows one application. */
const discord = createServer((request, response) => {
  const expected = `Basic ${Buffer.from(`${CLIENT_ID}:${SECRET}`).toString('base64')}`
  response.writeHead(request.headers.authorization === expected ? 200 : 401).end('{}')
})
let settings: Partial<Config>
let site: TestApp
let token: string
let folder: string

beforeAll(async () => {
  await new Promise<void>((resolve) => discord.listen(0, '127.0.0.1', resolve))
  const { port } = discord.address() as AddressInfo
  settings = {
    publicUrl: 'https://yard.example',
    discord: { apiUrl: `http://127.0.0.1:${port}`, cdnUrl: 'https://cdn.example' },
  }
  folder = mkdtempSync(path.join(tmpdir(), 'scriptyard-setup-'))
})
afterAll(() => {
  discord.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  site = await createTestApp(settings)
  token = (await openSetup(site.db, { adminDiscordIds: [] })) ?? ''
})
afterEach(() => site.close())

async function call(
  action: object,
  {
    as,
    app = site.app,
    with: link = token,
  }: {
    as?: { authorization: string }
    app?: TestApp['app']
    with?: string
  } = {},
) {
  const payload = { token: link, ...action } as Action
  const response = await app.inject({ method: 'POST', url: '/api/setup', payload, ...(as && { headers: as }) })
  return { status: response.statusCode, ...response.json<Result>() }
}
const isOpen = async (app = site.app) => (await app.inject('/api/setup')).json<{ is_open: boolean }>().is_open

test('a site without an admin has a link, one whose settings name an admin has none', async () => {
  expect(token).toMatch(/^[\w-]{43}$/)
  const { rows } = await sql<{ token_hash: Buffer }>`select token_hash from setup`.execute(site.db)
  expect(rows[0]?.token_hash.toString()).not.toContain(token)
  expect(await openSetup(site.db, { adminDiscordIds: ['1'] })).toBeUndefined()
  await makeMember(site.db, { is_admin: true })
  expect(await openSetup(site.db, { adminDiscordIds: [] })).toBeUndefined()
  expect((await call({ action: 'read' })).status).toBe(404)
})

test('only the token of the newest start works', async () => {
  const newest = (await openSetup(site.db, { adminDiscordIds: [] })) ?? ''
  expect(await call({ action: 'read' })).toMatchObject({ status: 403, code: 'setup_link_invalid' })
  expect((await call({ action: 'read' }, { with: newest })).status).toBe(200)
  for (const wrong of ['', 'x', newest.slice(1), `${newest}=`]) {
    expect([400, 403]).toContain((await call({ action: 'save_name', name: 'Evil' }, { with: wrong })).status)
  }
  expect((await site.app.inject('/api/site')).json()).toMatchObject({ name: 'Scriptyard' })
})

test('saves each part, which other processes learn of, and the setup can be resumed', async () => {
  const peer = await createAppOn(site.database, site.pool, settings)
  expect((await call({ action: 'save_name', name: ' Brook  Field ' })).name).toBe('Brook Field')
  const target = path.join(folder, 'backups')
  await call({ action: 'save_backup', target })
  expect(readdirSync(target)).toEqual([])
  expect(await call({ action: 'save_discord', client_id: ` ${CLIENT_ID} `, client_secret: SECRET })).toMatchObject({
    status: 200,
    discord: { client_id: CLIENT_ID, is_fixed: false, redirect_url: 'https://yard.example/api/discord-callback' },
  })
  const saved = await call({ action: 'read' }, { app: peer.app })
  expect(saved).toMatchObject({ name: 'Brook Field', backup: { target, is_fixed: false }, is_finished: false })
  expect(JSON.stringify(saved)).not.toContain(SECRET)
  await expect.poll(async () => (await peer.app.inject('/api/discord-auth')).statusCode, { timeout: 3000 }).toBe(200)
  const { authUrl } = (await site.app.inject('/api/discord-auth')).json<{ authUrl: string }>()
  expect(authUrl).toContain(`client_id=${CLIENT_ID}`)
  await peer.close()
})

test('the secret of the application is stored encrypted', async () => {
  await call({ action: 'save_discord', client_id: CLIENT_ID, client_secret: SECRET })
  const { rows } = await sql<{ row: string }>`select encode(sealed_discord_secret, 'escape') as row from setup`.execute(
    site.db,
  )
  expect(rows[0]?.row.length).toBeGreaterThan(SECRET.length)
  expect(rows[0]?.row).not.toContain(SECRET)
})

describe('backups in a bucket', () => {
  let s3: TestS3
  beforeAll(async () => {
    s3 = await startS3()
  })
  afterAll(() => s3.close())

  /** Saves a target in a process whose settings have this access. */
  async function saveTarget(target: string, backupS3?: S3Access) {
    const more = backupS3 ? { backupS3 } : {}
    const process = await createAppOn(site.database, site.pool, { ...settings, ...more })
    const { status, fields, backup } = await call({ action: 'save_backup', target }, { app: process.app })
    await process.close()
    return status === 200 ? backup.target : fields?.['target']
  }

  test('are checked by writing to it, and nothing stays there', async () => {
    expect(await saveTarget(' s3://images/site/ ', s3.settings)).toBe('s3://images/site')
    expect(s3.keys()).toEqual([])
    const row = await readSetup(site.db)
    const { backupSchedule } = site.config
    const { bucket, ...backupS3 } = s3.settings
    expect(findBackup({ backupSchedule, backupS3 }, row)).toEqual({
      target: { ...backupS3, bucket, prefix: 'site' },
      ...backupSchedule,
    })
    expect(() => findBackup({ backupSchedule }, row)).toThrow(/^BACKUP_S3_ENDPOINT .*s3:\/\/images\/site/)
  })

  test('say what is wrong', async () => {
    expect(await saveTarget('s3://images/site')).toContain('no key for buckets. Set BACKUP_S3_ENDPOINT')
    for (const target of ['s3://images', 's3:images/site', 'S3://images/site', 's3://images/../other']) {
      expect(await saveTarget(target, s3.settings)).toContain('Enter the bucket as s3://bucket/prefix')
    }
    expect(await saveTarget('s3://elsewhere/site', s3.settings)).toBe(
      'There is no such bucket. Create it, or correct its name.',
    )
    expect(await saveTarget('s3://images/site', { ...s3.settings, secretAccessKey: 'wrong' })).toContain(
      'rejects the key of the site',
    )
    expect(await saveTarget('s3://images/site', { ...s3.settings, endpoint: 'http://127.0.0.1:9' })).toContain(
      'cannot be reached',
    )
    s3.failOn(({ method }) => method === 'DELETE')
    expect(await saveTarget('s3://images/site', s3.settings)).toContain('cannot be reached')
    s3.failOn(() => false)
    expect(await readSetup(site.db)).toMatchObject({ backup_target: null })
  })
})

describe('rejects', () => {
  test.each([
    [{ action: 'save_discord', client_id: 'Brook', client_secret: SECRET }, 'client_id'],
    [{ action: 'save_discord', client_id: CLIENT_ID, client_secret: 'short' }, 'client_secret'],
    [{ action: 'save_discord', client_id: CLIENT_ID, client_secret: `${SECRET}x` }, 'client_secret'],
    [{ action: 'save_admin', discord_id: 'marlow' }, 'discord_id'],
    [{ action: 'save_backup', target: 'backups' }, 'target'],
    [{ action: 'save_backup', target: '/proc/no/such/folder' }, 'target'],
    [{ action: 'save_name', name: '   ' }, 'name'],
  ])('%j at %s', async (action, field) => {
    const { status, fields = {} } = await call(action)
    expect([status, Object.keys(fields)]).toEqual([400, [field]])
  })

  test('a backup folder inside the data folder', async () => {
    const { fields } = await call({ action: 'save_backup', target: path.join(site.config.dataDir, 'backups') })
    expect(fields?.['target']).toContain('inside the data folder')
  })

  test('a value that a server setting determines', async () => {
    const fixed = await createAppOn(site.database, site.pool, {
      ...settings,
      backup: { target: '/backups', everyHours: 24, keep: 7 },
      discord: { apiUrl: '', cdnUrl: 'https://cdn.example', clientId: '1', clientSecret: 's' },
    })
    expect(await call({ action: 'read' }, { app: fixed.app })).toMatchObject({
      discord: { client_id: '1', is_fixed: true },
      backup: { target: '/backups', is_fixed: true },
    })
    const actions = [
      { action: 'save_discord', client_id: CLIENT_ID, client_secret: SECRET },
      { action: 'save_backup', target: folder },
    ]
    for (const action of actions) expect((await call(action, { app: fixed.app })).code).toBe('setting_fixed')
    await fixed.close()
  })
})

test('an application that nobody could check is saved with a warning', async () => {
  const offline = await createAppOn(site.database, site.pool, {
    ...settings,
    discord: { apiUrl: 'http://127.0.0.1:9', cdnUrl: 'https://cdn.example' },
  })
  const action = { action: 'save_discord', client_id: CLIENT_ID, client_secret: SECRET }
  expect(await call(action, { app: offline.app })).toMatchObject({
    status: 200,
    warning: expect.stringContaining('could not be reached'),
    discord: { client_id: CLIENT_ID },
  })
  await offline.close()
})

test('the signed-in owner becomes the only admin of the setup, and the page is gone', async () => {
  expect((await call({ action: 'claim_admin' })).status).toBe(401)
  const [owner, other] = [await makeMember(site.db), await makeMember(site.db)]
  const headers = await Promise.all([signIn(site.db, owner), signIn(site.db, other)])
  const results = await Promise.all(headers.map((as) => call({ action: 'claim_admin' }, { as })))
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
  const admins = await site.db.selectFrom('members').select('id').where('is_admin', '=', true).execute()
  expect(admins).toHaveLength(1)
  const entries = await site.db.selectFrom('audit_log').select(['action', 'actor_id']).execute()
  expect(entries).toEqual([{ action: 'admin_by_setup', actor_id: admins[0]?.id }])
  expect(await isOpen()).toBe(false)
  expect((await call({ action: 'read' })).status).toBe(404)
})

test('an owner who skips the setup gets no other link', async () => {
  expect((await call({ action: 'skip' })).is_finished).toBe(true)
  expect(await isOpen()).toBe(false)
  expect((await call({ action: 'save_name', name: 'Late' })).status).toBe(404)
  expect(await openSetup(site.db, { adminDiscordIds: [] })).toBeUndefined()
})

test('a finished setup without an admin gets a new link at the next start', async () => {
  await call({ action: 'save_admin', discord_id: '99999999999999999' })
  expect((await call({ action: 'finish' })).is_finished).toBe(true)
  expect((await call({ action: 'read' })).status).toBe(404)
  token = (await openSetup(site.db, { adminDiscordIds: [] })) ?? ''
  expect(await call({ action: 'read' })).toMatchObject({ admin: { discord_id: '99999999999999999' } })
})

test('the Discord account that the owner entered becomes an admin at its sign-in, once', async () => {
  const signInSite = await createSignInSite()
  const link = (await openSetup(signInSite.db, { adminDiscordIds: [] })) ?? ''
  const { adminId } = signInSite.fakeDiscord
  const saved = await call({ action: 'save_admin', discord_id: adminId }, { app: signInSite.app, with: link })
  expect(saved.status).toBe(200)
  await completeSignIn(signInSite.app, adminId)
  const find = () => signInSite.db.selectFrom('members').select('is_admin').executeTakeFirstOrThrow()
  expect(await find()).toEqual({ is_admin: true })
  expect((await call({ action: 'read' }, { app: signInSite.app, with: link })).status).toBe(404)
  // A demoted admin stays demoted, after a restart, too.
  await signInSite.db.updateTable('members').set({ is_admin: false }).execute()
  await (await createAppOn(signInSite.database, signInSite.pool)).close()
  await completeSignIn(signInSite.app, adminId)
  expect(await find()).toEqual({ is_admin: false })
  await signInSite.close()
})
