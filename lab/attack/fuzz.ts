// Random requests for every operation of the site's OpenAPI document, as five kinds of callers.
import type { TSchema } from 'typebox'
import type { OperationName } from '#contract/operations.ts'
import { RIGHTS } from '#tests/actors/expected.ts'
import { type Actor, makeScene, type Scene } from '#tests/actors/scene.ts'
import { multipart } from '#tests/actors/send.ts'
import { checkResponse, checkSums } from './checks.ts'
import { Client, json, type Sent } from './client.ts'
import { Random } from './random.ts'
import type { Report } from './report.ts'
import type { AttackedSite } from './site.ts'
import { makeAnything, makeText, makeValid, mutate } from './values.ts'

const ACTORS = ['visitor', 'member', 'owner', 'moderator', 'admin'] as const satisfies Actor[]
/** Endless; only its head is requested. */
const STREAM = 'GET /api/notification-stream'
const CONNECTIONS = 16
/** Requests of one caller: what they act on may be deleted by then. */
const RENEW_AFTER = 100

interface Parameter {
  name: string
  schema: TSchema
}

interface ApiOperation {
  name: OperationName
  parameters: Parameter[]
  body: TSchema | undefined
}

interface OpenApi {
  paths: Record<
    string,
    Record<string, { parameters: Parameter[]; requestBody?: { content: Record<string, { schema: TSchema }> } }>
  >
}

async function readOperations(client: Client): Promise<ApiOperation[]> {
  const { text } = await client.send({ method: 'GET', path: '/api/openapi.json' })
  return Object.entries((JSON.parse(text) as OpenApi).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}` as OperationName,
      parameters,
      body: requestBody?.content['application/json']?.schema,
    })),
  )
}

/** Sends `count` requests. Fails for a 5xx, an internal word, a crash, and sums that are wrong afterwards. */
export async function fuzz(
  site: AttackedSite,
  { seed, count, report }: { seed: number; count: number; report: Report },
): Promise<void> {
  const client = new Client(site.port, report, CONNECTIONS)
  const operations = await readOperations(client)
  const { pid } = site
  const reached = new Set<string>()
  const lanes = Array.from({ length: CONNECTIONS }, async (_, lane) => {
    const random = new Random(seed * 1000 + lane)
    for (let sent = 0; sent < count / CONNECTIONS && site.isRunning;) {
      const actor = random.pick(ACTORS)
      const scene = await makeScene({ db: site.db }, actor)
      for (let left = RENEW_AFTER; left > 0 && sent < count / CONNECTIONS; left--, sent++) {
        const operation = random.pick(operations)
        const request = makeRequest(operation, scene, random)
        const response = await client.send(request)
        checkResponse(report, operation.name, response)
        if (response.status < 300) reached.add(operation.name)
        // The caller has signed out, or the account is deleted.
        if (response.status === 401 && actor !== 'visitor') left = 0
      }
    }
  })
  await Promise.all(lanes)
  report.check(site.isRunning && site.pid === pid, () => `the server has stopped:\n${site.output}`)
  for (const { name } of operations) {
    const isReachable = ACTORS.some((actor) => RIGHTS[name].expected[actor] === 200) && name !== STREAM
    const isTried = count / operations.length > 100
    report.check(!isReachable || !isTried || reached.has(name), () => `${name} never succeeded`)
  }
  await checkSums(report, site.pool)
  client.close()
}

function makeRequest({ name, parameters, body }: ApiOperation, scene: Scene, random: Random): Sent {
  const [method = '', path = ''] = name.split(' ')
  const ids = [scene.scriptId, scene.ownerId, scene.actorId, scene.giveawayId, scene.ratingId, scene.caseId, 1]
  // The sample request is one that succeeds; what the schema describes in prose only is right in it.
  const sample = random.chance(0.5) ? RIGHTS[name].call?.(scene) : undefined
  const headers: Record<string, string> = { ...scene.headers }
  // A rejection of too long headers has a body, which no client expects after HEAD.
  if (name !== STREAM && random.chance(0.02)) headers['authorization'] = makeText(random).replaceAll(/[^ -~]/g, '?')
  const query = makeQuery(parameters, sample?.query, ids, random)
  const sent = { method: name === STREAM ? 'HEAD' : method, path: query ? `${path}?${query}` : path, headers }
  if (method === 'GET') return sent
  if (sample?.file) {
    const form = multipart(random.chance(0.5) ? sample.file : damage(sample.file, random))
    return { ...sent, headers: { ...headers, 'content-type': form.type }, body: form.payload }
  }
  const payload = makePayload(body, sample?.payload, ids, random)
  if (!payload) return sent
  headers['content-type'] = random.chance(0.03) ? 'text/plain' : 'application/json'
  return { ...sent, body: payload }
}

function makeQuery(
  parameters: readonly Parameter[],
  sample: Record<string, unknown> | undefined,
  ids: readonly number[],
  random: Random,
): string {
  const valid = Object.fromEntries(
    parameters.filter(() => random.chance(0.6)).map(({ name, schema }) => [name, makeValid(schema, random, ids)]),
  )
  const values = { ...valid, ...sample }
  const query = random.chance(0.3) ? mutate(values, random) : values
  const pairs = Object.entries(query).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return random.chance(0.03) ? `${name}=%ff${random.pick(['%', '&&', '[]'])}` : `${name}=${encode(text)}`
  })
  if (pairs.length > 0 && random.chance(0.05)) pairs.push(pairs[0] ?? '')
  return pairs.join('&').slice(0, 8000)
}

// A lone surrogate has no UTF-8.
const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

function makePayload(schema: TSchema | undefined, sample: object | undefined, ids: readonly number[], random: Random) {
  if (!schema) return random.chance(0.1) ? json(makeAnything(random)) : undefined
  const made = sample ?? makeValid(schema, random, ids)
  const isObject = typeof made === 'object' && made !== null && !Array.isArray(made)
  const value = isObject && random.chance(0.4) ? mutate(made as Record<string, unknown>, random) : made
  const payload = json(value)
  if (random.chance(0.03)) return payload.subarray(0, random.below(payload.length + 1))
  if (random.chance(0.02)) return Buffer.concat([payload, Buffer.from([0xff, 0xfe])])
  return payload
}

function damage(file: Buffer, random: Random): Buffer {
  const damaged = Buffer.from(file.subarray(0, 1 + random.below(file.length)))
  damaged[random.below(damaged.length)] = random.below(256)
  return damaged
}
