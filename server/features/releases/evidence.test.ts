import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HoldReason } from '#contract/versions.ts'
import type { ProvenanceKind } from '#contract/version-states.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { checkVersions, findInconsistencies, publish, sendChange, sendConfirm } from '#tests/support/scripts.ts'
import { type Author, makeAuthor, makeCode, WEBHOOK } from '#tests/support/withdrawals.ts'

let site: TestApp
let ada: Author
beforeAll(async () => {
  site = await createTestApp()
})
beforeEach(async () => {
  ada = await makeAuthor(site)
})
const checkConsistency = async () => {
  expect(await findInconsistencies(site.db)).toEqual([])
}
afterAll(async () => {
  await checkConsistency()
  await site.close()
})

const setProvenance = (id: number, by: ProvenanceKind, number: number) =>
  site.pool.query(
    `update script_versions set provenance = jsonb_set(provenance, '{by}', to_jsonb($2::text))
      where script_id = $1 and number = $3`,
    [id, by, number],
  )

/** A public script whose first version was published in this way. */
async function makeScriptBy(by: ProvenanceKind): Promise<number> {
  const id = await ada.make()
  await setProvenance(id, by, 1)
  return id
}

/** Adds a version that was published in this way, and decides about it. */
async function addVersion(id: number, by: ProvenanceKind, script_content = makeCode()): Promise<number> {
  const response = await ada.send('PUT', `/api/script-versions?id=${id}`, { script_content })
  const { version } = response.json<{ version: { number: number } }>()
  await setProvenance(id, by, version.number)
  await checkVersions(site)
  return version.number
}

async function holdOf(id: number): Promise<HoldReason['id'][] | undefined> {
  const [newest] = await ada.versionsOf(id, ada.author)
  return newest?.held?.reasons.map((reason) => reason.id)
}

describe('a version', () => {
  test.each<[ProvenanceKind, ProvenanceKind]>([
    ['build', 'repository'],
    ['build', 'web'],
    ['build', 'token'],
    ['build', 'import'],
    ['repository', 'web'],
    ['repository', 'token'],
    ['repository', 'import'],
    ['build', 'unknown'],
  ])('after one by %s is held if it comes by %s', async (former, next) => {
    const id = await makeScriptBy(former)
    await addVersion(id, next)
    expect(await ada.statesOf(id)).toEqual(['current', 'held'])
    expect(await holdOf(id)).toEqual(['less_evidence'])
  })

  test.each<[ProvenanceKind, ProvenanceKind]>([
    ['build', 'build'],
    ['repository', 'repository'],
    ['repository', 'build'],
    ['web', 'token'],
    ['token', 'import'],
    ['import', 'web'],
    ['web', 'repository'],
    ['web', 'build'],
    ['unknown', 'web'],
  ])('after one by %s is current if it comes by %s', async (former, next) => {
    const id = await makeScriptBy(former)
    await addVersion(id, next)
    expect(await ada.statesOf(id)).toEqual(['former', 'current'])
  })

  test('without the evidence of builds is held again, also after its author has confirmed one', async () => {
    const id = await makeScriptBy('build')
    const number = await addVersion(id, 'web')
    await site.pool.query("update script_versions set created_at = now() - interval '8 days' where script_id = $1", [
      id,
    ])
    expect((await sendConfirm(site, ada.author, id, number)).json()).toMatchObject({ state: 'current' })
    await addVersion(id, 'web')
    expect(await ada.statesOf(id)).toEqual(['former', 'current', 'held'])
  })

  test('is held for what it starts as well', async () => {
    const id = await publish(site, ada.author, { script_content: makeCode() })
    await setProvenance(id, 'build', 1)
    await addVersion(id, 'token', WEBHOOK)
    expect(await holdOf(id)).toEqual(['net.webhook', 'less_evidence'])
  })

  test('is held after a withdrawn one by a build, but the one that takes its place is not', async () => {
    const id = await ada.make()
    await addVersion(id, 'build')
    await ada.withdrawn(id, 2)
    await checkVersions(site)
    expect(await ada.statesOf(id)).toEqual(['current', 'withdrawn'])
    await addVersion(id, 'web')
    expect(await ada.statesOf(id)).toEqual(['current', 'withdrawn', 'held'])
    expect(await holdOf(id)).toEqual(['less_evidence'])
  })

  test('is not held for one by a build that was never public', async () => {
    const id = await ada.make()
    await addVersion(id, 'build', WEBHOOK)
    expect(await ada.statesOf(id)).toEqual(['current', 'held'])
    await addVersion(id, 'web')
    expect(await ada.statesOf(id)).toEqual(['former', 'discarded', 'current'])

    const script_content = makeCode()
    const other = await publish(site, ada.author, { script_content, is_public: false })
    await setProvenance(other, 'build', 1)
    await ada.change(other, { script_content: makeCode(), is_public: true })
    expect(await ada.statesOf(other)).toEqual(['former', 'current'])
  })

  test('of a script that was private in between is compared with what was public', async () => {
    const id = await makeScriptBy('build')
    await ada.change(id, { is_public: false })
    await ada.change(id, { script_content: makeCode() })
    expect((await sendChange(site, ada.author, id, { is_public: true })).statusCode).toBe(200)
    expect(await holdOf(id)).toEqual(['less_evidence'])
    expect(await ada.statesOf(id)).toEqual(['current', 'held'])
  })

  test('that is only another number for the code of a build is current, and lowers nothing', async () => {
    const id = await makeScriptBy('build')
    await ada.change(id, { version: '2.0.0' })
    expect(await ada.statesOf(id)).toEqual(['former', 'current'])
    await addVersion(id, 'web')
    expect(await holdOf(id)).toEqual(['less_evidence'])
  })
})
