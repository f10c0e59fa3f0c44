import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dangerOf } from '#contract/case-reasons.ts'
import type { ResultOf } from '#contract/operations.ts'
import type { CaseFinding, ReportCase } from '#contract/reports.ts'
import { reportScriptsOfHost } from '#server/features/behavior/collectors.ts'
import { reportBrokenUpdates } from '#server/features/works/broken-updates.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { createPortal, type Portal } from '#tests/support/portal.ts'
import { makeCase } from '#tests/support/reports.ts'
import { sendRelease, sendScript } from '#tests/support/scripts.ts'
import { type Author, makeAuthor, makeCode, WEBHOOK } from '#tests/support/withdrawals.ts'
import { openCase } from './automatic.ts'
import { endCases, openHoldCases } from './causes.ts'
import { refreshReach } from './reach.ts'

type Headers = Awaited<ReturnType<typeof signIn>>

let portal: Portal
let ada: Author
let moderatorId: number
let moderator: Headers
beforeAll(async () => {
  portal = await createPortal()
  ada = await makeAuthor(portal)
  moderatorId = await makeMember(portal.db, { is_moderator: true })
  moderator = await signIn(portal.db, moderatorId)
})
afterAll(() => portal.close())

const list = async (query = '') =>
  (await portal.get<ResultOf<'GET /api/reports'>>(`/api/reports?limit=100&${query}`, moderator)).body
const casesOf = async (subjectId: number, type = 'script'): Promise<ReportCase[]> =>
  (await list('status=all')).cases.filter((one) => one.subject_id === subjectId && one.subject_type === type)
const openOwn = async (headers: Headers) =>
  (await portal.get<ResultOf<'GET /api/own-cases'>>('/api/own-cases', headers)).body
const decide = (payload: object, by = moderator) => portal.send<{ code: string }>('PUT /api/reports', payload, by)
const run = async () => {
  await openHoldCases(portal.db)
  await endCases(portal.db)
}
/** A public script, and an update that its author confirmed and that is held. */
async function makeHeld(author = ada): Promise<number> {
  const id = await author.make(makeCode(), `${WEBHOOK} -- ${makeCode()}`)
  const response = await author.send('POST', '/api/version-confirm', { script_id: id, number: 2 })
  expect(response.json()).toMatchObject({ state: 'held' })
  return id
}
const found = (line: number): CaseFinding => ({
  id: 'identical_code',
  host: null,
  line,
  excerpt: 'print(1)',
  detail: 'Identical to another script.',
})
const open = (scriptId: number, findings: CaseFinding[]) =>
  portal.db.transaction().execute((trx) => openCase(trx, { scriptId, reason: 'identical_code', findings }))

test('what is found at the same time and again makes one case with at most 20 lines', async () => {
  const id = await makeScript(portal.db)
  await Promise.all(Array.from({ length: 10 }, () => open(id, [found(1)])))
  expect(await casesOf(id)).toMatchObject([{ found_count: 10, findings: [found(1)], reason: 'identical_code' }])
  for (let line = 2; line <= 60; line++) await open(id, [found(line)])
  const [joined, ...others] = await casesOf(id)
  expect(others).toEqual([])
  expect(joined?.found_count).toBe(69)
  expect(joined?.findings?.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, i) => 60 - i))
})

test('a confirmed update gets a case, whose author reads the rule, the lines and the place', async () => {
  const id = await makeHeld()
  const [held] = await casesOf(id)
  expect(held).toMatchObject({
    reason: 'held_version',
    status: 'open',
    version_number: 2,
    held_version: { number: 2 },
    severity: 7,
    findings: [{ id: 'net.webhook', host: 'discord.com', line: 1, excerpt: expect.stringContaining('PostAsync') }],
  })
  await run()
  expect(await casesOf(id)).toMatchObject([{ status: 'open', found_count: 1 }])
  const own = await openOwn(ada.author)
  const ordered = (await list()).cases.map((one) => one.id)
  expect(own.open.find((one) => one.subject_id === id)).toMatchObject({
    id: held?.id,
    reason: 'held_version',
    place: ordered.indexOf(held?.id ?? 0) + 1,
    findings: [{ id: 'net.webhook', line: 1 }],
  })
  expect(own.waiting).toBe(ordered.length)
})

test('members do not read of reports by people, nor of others', async () => {
  const id = await makeScript(portal.db, { author_id: ada.memberId })
  await portal.send(
    'POST /api/reports',
    { subject_type: 'script', subject_id: id, reason: 'malicious' },
    await signIn(portal.db),
  )
  await open(id, [found(1)])
  expect((await casesOf(id)).map(({ reason, severity }) => `${reason} ${severity}`).toSorted()).toEqual([
    'identical_code 3',
    'report 9',
  ])
  const own = (await openOwn(ada.author)).open.filter((one) => one.subject_id === id)
  expect(own.map(({ reason }) => reason)).toEqual(['identical_code'])
  expect((await openOwn(await signIn(portal.db))).open).toEqual([])
})

test('the median of the decisions is that of the last 30 days', async () => {
  await makeHeld()
  const subject = { subject_id: ada.memberId, status: 'dismissed', decision: 'Fine.' }
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  await sql`delete from report_cases where decided_at is not null`.execute(portal.db)
  for (const hours of [2, 4, 60])
    await makeCase(portal.db, { ...subject, created_at: hoursAgo(hours + 1), decided_at: hoursAgo(1) })
  await makeCase(portal.db, { ...subject, created_at: hoursAgo(2000), decided_at: hoursAgo(31 * 24) })
  expect((await openOwn(ada.author)).median_hours).toBeCloseTo(4, 3)
})

test('a release by a moderator closes the case, and not that of another moderator', async () => {
  const id = await makeHeld()
  const [held] = await casesOf(id)
  await decide({ id: held?.id, action: 'claim' }, portal.admin as Headers)
  expect((await sendRelease(portal, moderator, id, 2)).json()).toMatchObject({ code: 'claimed' })
  expect(await ada.statesOf(id)).toEqual(['current', 'held'])
  await decide({ id: held?.id, action: 'release' }, portal.admin as Headers)
  expect((await sendRelease(portal, moderator, id, 2)).statusCode).toBe(200)
  expect(await casesOf(id)).toMatchObject([
    { status: 'dismissed', held_version: null, decision: expect.stringContaining('was released: It is what') },
  ])
  expect(await ada.statesOf(id)).toEqual(['former', 'current'])
})

test('nobody releases their own version, and a demoted moderator none', async () => {
  const author = await makeAuthor(portal)
  const id = await makeHeld(author)
  await sql`update members set is_moderator = true where id = ${author.memberId}`.execute(portal.db)
  expect((await sendRelease(portal, author.author, id, 2)).json()).toMatchObject({ code: 'own_thing' })
  await sql`update members set is_moderator = false where id = ${author.memberId}`.execute(portal.db)
  expect((await sendRelease(portal, author.author, id, 2)).statusCode).toBe(403)
})

test('"Notify the author" discards the held version, and a dismissal leaves it', async () => {
  const [agreed, fine] = [await makeHeld(), await makeHeld()]
  await decide({ id: (await casesOf(agreed))[0]?.id, action: 'resolve', decision: 'It steals.' })
  await decide({ id: (await casesOf(fine))[0]?.id, action: 'dismiss' })
  expect(await ada.statesOf(agreed)).toEqual(['current', 'discarded'])
  expect(await ada.statesOf(fine)).toEqual(['current', 'held'])
  // It was decided about this version.
  await run()
  expect((await casesOf(fine)).map(({ status }) => status)).toEqual(['dismissed'])
})

test('a case ends with its cause, and is open again with the next version', async () => {
  const id = await makeHeld()
  const [first] = await casesOf(id)
  await ada.send('POST', '/api/version-discard', { script_id: id, number: 2, was_me: true })
  await run()
  expect(await casesOf(id)).toMatchObject([{ status: 'ended', ended_note: 'Discarded by its author.' }])
  expect((await decide({ id: first?.id, action: 'dismiss' })).body.code).toBe('case_ended')
  for (let number = 3; number < 6; number++) {
    await ada.change(id, { script_content: `${WEBHOOK} -- ${makeCode()}` })
    await ada.send('POST', '/api/version-confirm', { script_id: id, number })
    await run()
  }
  expect(await casesOf(id)).toMatchObject([
    { id: first?.id, status: 'open', ended_note: null, version_number: 5, found_count: 4 },
  ])
})

test('a claimed case stays and says so, unless its moderator is none any more', async () => {
  const id = await makeHeld()
  const claimer = await makeMember(portal.db, { is_moderator: true })
  await decide({ id: (await casesOf(id))[0]?.id, action: 'claim' }, await signIn(portal.db, claimer))
  await ada.send('POST', '/api/version-discard', { script_id: id, number: 2, was_me: true })
  await run()
  expect(await casesOf(id)).toMatchObject([{ status: 'claimed', ended_note: 'Discarded by its author.' }])
  await sql`update members set is_moderator = false where id = ${claimer}`.execute(portal.db)
  await run()
  expect(await casesOf(id)).toMatchObject([{ status: 'ended', claimed_by: null }])
})

test('a first version gets a case after an hour, which its release ends', async () => {
  const id = await ada.make(makeCode())
  await sql`update script_versions set state = 'held', hold_reasons = '[{"id": "net.webhook", "host": null, "line": 1,
    "detail": "PostAsync"}]' where script_id = ${id}`.execute(portal.db)
  await run()
  expect(await casesOf(id)).toEqual([])
  await sql`update script_versions set state_since = now() - interval '61 minutes' where script_id = ${id}`.execute(
    portal.db,
  )
  await run()
  expect(await casesOf(id)).toMatchObject([{ reason: 'first_version', status: 'open', severity: 7 }])
  await sql`update script_versions set state = 'published' where script_id = ${id}`.execute(portal.db)
  await run()
  expect(await casesOf(id)).toMatchObject([{ status: 'ended', ended_note: 'The version became current.' }])
})

test('a deleted script ends its case and gets none; a hidden script and that of a banned author get one', async () => {
  const [deleted, hidden] = [await makeScript(portal.db), await makeScript(portal.db)]
  const banned = await makeMember(portal.db, { banned_until: new Date(Date.now() + 86_400_000) })
  const theirs = await makeScript(portal.db, { author_id: banned })
  await sql`update scripts set hidden_at = now(), was_public = true, is_public = false where id = ${hidden}`.execute(
    portal.db,
  )
  for (const id of [deleted, hidden, theirs]) await open(id, [found(1)])
  await sql`delete from scripts where id = ${deleted}`.execute(portal.db)
  await run()
  await open(deleted, [found(2)])
  expect(await casesOf(deleted)).toMatchObject([{ status: 'ended', ended_note: 'The script was deleted.' }])
  expect(await casesOf(theirs)).toMatchObject([{ status: 'open' }])
  const [about] = await casesOf(hidden)
  expect(about).toMatchObject({ status: 'open', is_hidden: true })
  // A dismissal does not undo the other decision.
  await decide({ id: about?.id, action: 'dismiss' })
  expect(await casesOf(hidden)).toMatchObject([{ status: 'dismissed', is_hidden: true }])
})

test('code that moderators withdrew gets a case about its script or, without one, its author', async () => {
  const code = makeCode()
  const bad = await ada.make(makeCode(), code)
  await ada.withdrawn(bad, 2, { is_malicious: true }, moderator)
  const author = await makeAuthor(portal)
  const body = { title: 'Copy', description: 'What it does.', script_content: code }
  for (let i = 0; i < 2; i++) expect((await sendScript(portal, author.author, body)).statusCode).toBe(409)
  expect(await casesOf(author.memberId, 'profile')).toMatchObject([
    {
      reason: 'withdrawn_code',
      found_count: 2,
      severity: 9,
      findings: [{ detail: expect.stringMatching(/^Malicious/) }],
    },
  ])
  const id = await author.make(makeCode())
  const sent = { script_content: code }
  expect((await author.send('PUT', `/api/script-details?id=${id}`, sent)).statusCode).toBe(409)
  // Of another member's script, nothing is reported.
  await ada.send('PUT', `/api/script-details?id=${id}`, sent)
  expect(await casesOf(id)).toMatchObject([{ reason: 'withdrawn_code', found_count: 1 }])
  const mine = makeCode()
  const own = await ada.make(makeCode(), mine)
  await ada.withdrawn(own, 2)
  await ada.send('PUT', `/api/script-details?id=${own}`, { script_content: mine })
  expect(await casesOf(own)).toEqual([])
})

test('a host that becomes a collector opens cases about public scripts, until it is none', async () => {
  const host = 'steals.example'
  const scripts = [await makeScript(portal.db), await makeScript(portal.db, { is_public: false })]
  for (const script_id of scripts) {
    const row = { script_id, sha256: 'x', analyzer_version: 1_000_000, status: 'ready', hosts: [host] }
    await portal.db.insertInto('script_behaviors').values(row).execute()
  }
  await portal.db.insertInto('behavior_hosts').values({ host }).execute()
  const { signal } = new AbortController()
  const mark = (kind: string | null) => portal.send('PUT /api/behavior-hosts', { host, kind }, moderator)
  expect((await mark('collector')).status).toBe(200)
  const { rows: jobs } = await sql<{ data: unknown }>`select data from jobs.job
    where name = 'report-collector'`.execute(portal.db)
  expect(jobs).toEqual([{ data: { host } }])
  for (let i = 0; i < 2; i++) await reportScriptsOfHost(portal.db, host, signal)
  const [contacts = 0, secret = 0] = scripts
  expect(await casesOf(contacts)).toMatchObject([{ reason: 'collector', severity: 9, findings: [{ host }] }])
  expect(await casesOf(secret)).toEqual([])
  await mark('known')
  await run()
  expect(await casesOf(contacts)).toMatchObject([{ status: 'ended' }])
})

test('a run of votes that an update does not work opens a case; new members and old votes do not', async () => {
  const vote = async (id: number, works: boolean, fields: { isNew?: boolean; daysAgo?: number } = {}) => {
    await sql`insert into works_votes (script_id, version_number, works, weight, is_established, voted_at)
      values (${id}, 2, ${works}, 1, ${!fields.isNew}, now() - make_interval(days => ${fields.daysAgo ?? 0}))`.execute(
      portal.db,
    )
  }
  const ids: number[] = []
  for (let i = 0; i < 4; i++) ids.push(await ada.make(makeCode(), makeCode()))
  const [broken = 0, mixed = 0, brigaded = 0, few = 0] = ids
  for (let i = 0; i < 5; i++) {
    await vote(broken, false)
    await vote(mixed, false)
    await vote(mixed, true)
    await vote(brigaded, false, { isNew: true })
    if (i > 0) await vote(few, false)
  }
  await vote(broken, true)
  await vote(few, false, { daysAgo: 3 })
  for (let i = 0; i < 2; i++) await reportBrokenUpdates(portal.db)
  expect(await casesOf(broken)).toMatchObject([{ reason: 'broken_update', version_number: 2, found_count: 1 }])
  for (const id of [mixed, brigaded, few]) expect(await casesOf(id)).toEqual([])
  await ada.change(broken, { script_content: makeCode() })
  await run()
  expect(await casesOf(broken)).toMatchObject([{ status: 'ended', ended_note: 'Another version is current.' }])
})

test('the queue has the order of the rule, stays the same from page to page, and is filtered by reason', async () => {
  await sql`delete from report_cases`.execute(portal.db)
  const script_id = await makeScript(portal.db)
  await sql`insert into script_days (script_id, day, version_number, views, downloads)
    select ${script_id}, (now() at time zone 'UTC')::date - n, 1, 100, 10 from generate_series(0, 40) n`.execute(
    portal.db,
  )
  for (let i = 0; i < 30; i++) {
    await makeCase(portal.db, {
      subject_id: i === 0 ? script_id : 1_000_000 + i,
      subject_type: 'script',
      author_id: null,
      severity: 1 + ((i * 7) % 10),
      reach: (i * i * 37) % 5000,
      created_at: new Date(Date.now() - ((i * 13) % 11) * 86_400_000),
    })
  }
  await refreshReach(portal.db)
  const first = await list('')
  expect(first.cases.find((one) => one.subject_id === script_id)?.reach).toBe(3300)
  const ordered = first.cases.toSorted(
    (a, b) => danger(b, first.ordered_at) - danger(a, first.ordered_at) || a.id - b.id,
  )
  expect(first.cases.map(({ id }) => id)).toEqual(ordered.map(({ id }) => id))
  const pages: number[] = []
  for (let page = 1; page <= 5; page++) {
    const { body } = await portal.get<ResultOf<'GET /api/reports'>>(
      `/api/reports?limit=7&page=${page}&ordered_at=${first.ordered_at}`,
      moderator,
    )
    pages.push(...body.cases.map(({ id }) => id))
  }
  expect(pages).toEqual(ordered.map(({ id }) => id))
  const oldest = (await list('order=oldest')).cases.map(({ created_at }) => created_at)
  expect(oldest).toEqual(oldest.toSorted())
  await open(script_id, [found(1)])
  expect((await list('reason=identical_code')).pagination.total).toBe(1)
})

function danger({ severity, reach, created_at }: ReportCase, time: string): number {
  return dangerOf({ severity, reach, ageDays: (Date.parse(time) - Date.parse(created_at)) / 86_400_000 })
}
