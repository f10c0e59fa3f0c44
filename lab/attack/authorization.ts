// Every operation as every kind of caller, against the table of rights.
import type { OperationName } from '#contract/operations.ts'
import { RIGHTS } from '#tests/actors/expected.ts'
import type { SampleCall } from '#tests/actors/sample.ts'

import { normalizeStatus } from '#tests/actors/rights.ts'
import { ACTORS, makeScene } from '#tests/actors/scene.ts'
import { multipart } from '#tests/actors/send.ts'
import { checkResponse } from './checks.ts'
import { Client, json, type Received } from './client.ts'
import type { Report } from './report.ts'
import type { AttackedSite } from './site.ts'

/** An endless stream; only its head is requested. */
const STREAM: OperationName = 'GET /api/notification-stream'

function send(
  client: Client,
  name: OperationName,
  call: SampleCall,
  headers: Record<string, string>,
): Promise<Received> {
  const [method = '', path = ''] = name.split(' ')
  const query = new URLSearchParams(Object.entries(call.query ?? {}).map(([key, value]) => [key, String(value)]))
  const form = call.file && multipart(call.file)
  const type = form?.type ?? (call.payload ? 'application/json' : undefined)
  const body = form?.payload ?? (call.payload && json(call.payload))
  return client.send({
    method: name === STREAM ? 'HEAD' : method,
    path: query.size > 0 ? `${path}?${query}` : path,
    headers: { ...headers, ...(type && { 'content-type': type }) },
    ...(body && { body }),
  })
}

/** Checks the status of each operation for each actor. An operation that the table lacks is a failure. */
export async function attackAuthorization(site: AttackedSite, { report }: { report: Report }): Promise<void> {
  const client = new Client(site.port, report)
  const { text } = await client.send({ method: 'GET', path: '/api/openapi.json' })
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, object>> }
  const names = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}` as OperationName),
  )
  for (const name of names) {
    const right = RIGHTS[name] as (typeof RIGHTS)[OperationName] | undefined
    report.check(right !== undefined, () => `${name} is not in the table of rights`)
    if (!right) continue
    for (const actor of ACTORS) {
      const scene = await makeScene({ db: site.db }, actor)
      // Another member's id in a header must have no effect.
      const headers = { ...scene.headers, 'user-id': String(scene.ownerId) }
      const response = await send(client, name, right.call?.(scene) ?? {}, headers)
      checkResponse(report, name, response)
      const expected = right.expected[actor]
      report.check(
        normalizeStatus(response.status) === expected,
        () => `${name} answered ${response.status} instead of ${expected} as ${actor}`,
      )
    }
  }
  client.close()
}
