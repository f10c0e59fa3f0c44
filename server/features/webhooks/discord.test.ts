import { afterAll, beforeAll, expect, test } from 'vitest'
import { CAPABILITY_IDS } from '#contract/behavior-names.ts'
import { MAX_COMMENT_LENGTH, MAX_TITLE_LENGTH, WEBHOOK_EVENTS } from '#contract/limits.ts'
import type { Webhook } from '#contract/webhooks.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { fakeSandboxes } from '#tests/support/fake-sandboxes.ts'
import { makeMember, makeScript, signIn } from '#tests/support/factories.ts'
import { Receiver } from '#tests/support/receiver.ts'
import { createEmit, type EmittedEvent } from './emit.ts'
import { toDiscordMessage } from './messages.ts'

// Discord's documented limits: https://discord.com/developers/docs/resources/webhook#execute-webhook and
// https://discord.com/developers/docs/resources/message#embed-object-embed-limits
const MAX_EMBEDS = 10
const MAX_EMBED_TEXT = 6000
const MESSAGE_FIELDS = new Set(['username', 'content', 'embeds', 'allowed_mentions'])
const EMBED_FIELDS = new Set(['title', 'description', 'url', 'color', 'timestamp', 'fields', 'footer'])

interface Embed {
  title?: string
  description?: string
  url?: string
  color?: number
  timestamp?: string
  fields?: { name: string; value: string }[]
  footer?: { text: string }
}

interface Message {
  username?: string
  content?: string
  embeds?: Embed[]
  allowed_mentions?: { parse?: string[] }
}

/** Why Discord would reject a message or notify somebody. */
function findProblems(message: Message): string[] {
  const { username, content = '', embeds = [], allowed_mentions } = message
  const texts = embeds.flatMap(({ title = '', description = '', fields = [], footer }) => [
    title,
    description,
    footer?.text ?? '',
    ...fields.flatMap(({ name, value }) => [name, value]),
  ])
  const problems: [isProblem: boolean, text: string][] = [
    [Object.keys(message).some((name) => !MESSAGE_FIELDS.has(name)), 'unknown field of the message'],
    [content === '' && embeds.length === 0, 'empty message'],
    [content.length > 2000, 'long content'],
    [embeds.length > MAX_EMBEDS, 'too many embeds'],
    [texts.join('').length > MAX_EMBED_TEXT, 'long embeds'],
    [allowed_mentions?.parse?.length !== 0, 'mentions'],
    [username !== undefined && (username.length < 1 || username.length > 80), 'length of the username'],
    [username !== undefined && /discord|clyde/i.test(username), 'forbidden username'],
    ...embeds.flatMap((embed): [boolean, string][] => [
      [Object.keys(embed).some((name) => !EMBED_FIELDS.has(name)), 'unknown field of an embed'],
      [!embed.title?.trim() && !embed.description?.trim(), 'empty embed'],
      [(embed.title?.length ?? 0) > 256, 'long title'],
      [(embed.description?.length ?? 0) > 4096, 'long description'],
      [(embed.fields?.length ?? 0) > 25, 'too many fields'],
      [(embed.fields ?? []).some(({ name, value }) => name.length > 256 || value.length > 1024), 'long field'],
      [(embed.footer?.text.length ?? 0) > 2048, 'long footer'],
      [embed.url !== undefined && !/^https?:\/\/\S+$/.test(embed.url), 'bad URL'],
      [!Number.isInteger(embed.color) || Number(embed.color) > 0xff_ff_ff, 'bad color'],
      [Number.isNaN(Date.parse(embed.timestamp ?? '')), 'bad timestamp'],
    ]),
  ]
  return problems.filter(([isProblem]) => isProblem).map(([, text]) => text)
}

let site: TestApp
let receiver: Receiver
beforeAll(async () => {
  site = await createTestApp({}, { runsJobs: true, sandboxes: fakeSandboxes })
  receiver = new Receiver()
  await receiver.start()
})
afterAll(async () => {
  await receiver.close()
  await site.close()
})

const LOUD = '@everyone <@123> [click](https://evil.example) **bold** \u{1F600}'

/** Every event with texts of the maximum length. */
function fullEvents(scriptId: number, actorId: number): EmittedEvent[] {
  const hosts = Array.from({ length: 200 }, (_, i) => `${`h${i}`.padEnd(60, 'x')}.example`)
  return [
    { type: 'version.published', scriptId, isFirst: true },
    { type: 'version.published', scriptId, isFirst: false },
    {
      type: 'version.held',
      scriptId,
      version: { number: 2, name: LOUD },
      reasons: hosts.map((host) => ({ id: 'net.webhook', host, line: 1 })),
    },
    { type: 'version.released', scriptId, version: { number: 2, name: LOUD } },
    {
      type: 'version.withdrawn',
      scriptId,
      version: { number: 2, name: LOUD, sha256: '0'.repeat(64) },
      by: 'author',
      reason: LOUD.repeat(7),
      is_malicious: false,
      current: null,
    },
    { type: 'review.posted', scriptId, actorId, review: { rating: 5, text: LOUD.repeat(100) } },
    { type: 'review.posted', scriptId, actorId, review: { rating: 1, text: null } },
    {
      type: 'comment.posted',
      scriptId,
      actorId,
      comment: { id: 1, parent_id: null, text: LOUD.repeat(100).slice(0, MAX_COMMENT_LENGTH) },
    },
    {
      type: 'behavior.changed',
      scriptId,
      version: { number: 2, name: '1.1.0' },
      starts: [...CAPABILITY_IDS],
      stops: [],
      hosts_added: hosts,
      hosts_removed: hosts,
    },
    {
      type: 'giveaway.ended',
      giveaway: { id: 1, title: LOUD.repeat(10).slice(0, MAX_TITLE_LENGTH), winner_count: 100 },
    },
  ]
}

test('Discord accepts the message of every event, and mentions nobody', async () => {
  const headers = await signIn(site.db, await makeMember(site.db, { is_admin: true }))
  const post = async (url: string, payload: object) => site.app.inject({ method: 'POST', url, headers, payload })
  const input = { url: receiver.url, events: WEBHOOK_EVENTS, format: 'discord' }
  const { webhook } = (await post('/api/site-webhooks', input)).json<{ webhook: Webhook }>()
  const actorId = await makeMember(site.db, { display_name: LOUD.slice(0, 40) })
  const scriptId = await makeScript(site.db, { author_id: actorId, title: LOUD.repeat(3).slice(0, MAX_TITLE_LENGTH) })
  await site.db
    .updateTable('script_versions')
    .set({ changelog: LOUD.repeat(60).slice(0, 2000) })
    .where('script_id', '=', scriptId)
    .execute()

  const emit = createEmit({ jobs: site.jobs, publicUrl: site.config.publicUrl })
  const events = fullEvents(scriptId, actorId)
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(WEBHOOK_EVENTS))
  for (const event of events) await site.db.transaction().execute((trx) => emit(trx, event))
  await post('/api/site-webhook-deliveries', { action: 'test', id: webhook.id })

  await expect.poll(async () => (await receiver.received()).length, { timeout: 15_000 }).toBe(events.length + 1)
  const messages = (await receiver.received()).map(({ body }) => JSON.parse(body) as Message)
  expect(messages.flatMap(findProblems)).toEqual([])
  const descriptions = messages.map(({ embeds }) => embeds?.[0]?.description ?? '')
  expect(descriptions.filter((text) => /(?<!\\)(@|<|\[|\*)/.test(text))).toEqual([])
})

test('the notes of a version are shown to Discord without their Markdown', () => {
  const script = { title: 'Spring', url: 'https://scripts.example/scripts/spring-1', author: { name: 'Ada' } }
  const version = { name: '1.1.0', changelog: '## New\n\n- **Faster** `step`', is_first: false }
  const body = JSON.stringify({ type: 'version.published', timestamp: new Date(), data: { script, version } })
  const message = JSON.parse(toDiscordMessage({ key: 'a', type: 'version.published', body }, 'Site').body) as Message
  expect(message.embeds?.[0]?.description).toBe('New\n\n• Faster step')
})

test.each(['Discord scripts', 'Clyde', '', ' '.repeat(3)])(
  'a site named %j leaves the name of the sender to Discord',
  (name) => {
    const body = JSON.stringify({ type: 'webhook.test', timestamp: new Date(), data: { message: 'Hello.' } })
    const message = JSON.parse(toDiscordMessage({ key: 'a', type: 'webhook.test', body }, name).body) as Message
    expect(message).not.toHaveProperty('username')
    expect(findProblems(message)).toEqual([])
  },
)
