import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LICENSES, PLACEMENTS, SCRIPT_TYPES } from '#contract/script-kinds.ts'
import type { Script } from '#contract/scripts.ts'
import { createTestApp, type TestApp } from '#tests/support/app.ts'
import { signIn } from '#tests/support/factories.ts'
import { publish, sendChange, type SignedIn } from '#tests/support/scripts.ts'

let site: TestApp
let member: SignedIn
beforeAll(async () => {
  site = await createTestApp()
  member = await signIn(site.db)
})
afterAll(() => site.close())

const read = async (id: number) => {
  const response = await site.app.inject(`/api/script-details-slug?slug=x-${id}`)
  const { license, script_type, placement, requirements } = response.json<{ script: Script }>().script
  return { license, script_type, placement, requirements }
}

describe('license, script type, placement and requirements', () => {
  test('are empty unless the author chooses them', async () => {
    expect(await read(await publish(site, member))).toEqual({
      license: null,
      script_type: null,
      placement: null,
      requirements: null,
    })
  })

  test('are published, changed one by one, and removed', async () => {
    const kind = { license: 'MIT', script_type: 'ModuleScript', placement: 'ReplicatedStorage' }
    const id = await publish(site, member, { ...kind, requirements: ' The Signal module. ' })
    expect(await read(id)).toEqual({ ...kind, requirements: 'The Signal module.' })
    expect((await sendChange(site, member, id, { license: 'CC0-1.0' })).statusCode).toBe(200)
    expect(await read(id)).toEqual({ ...kind, license: 'CC0-1.0', requirements: 'The Signal module.' })
    await sendChange(site, member, id, { license: null, requirements: ' ' })
    expect(await read(id)).toEqual({ ...kind, license: null, requirements: null })
  })

  test.each([
    ['license', Object.keys(LICENSES)],
    ['script_type', [...SCRIPT_TYPES]],
    ['placement', [...PLACEMENTS]],
  ])('%s is stored for each choice', async (name, choices) => {
    const id = await publish(site, member)
    for (const choice of choices) {
      expect((await sendChange(site, member, id, { [name]: choice })).statusCode).toBe(200)
      expect(await read(id)).toMatchObject({ [name]: choice })
    }
  })

  test.each([
    ['license', 'My own'],
    ['script_type', 'Virus'],
    ['placement', 'The Moon'],
    ['requirements', 'a'.repeat(501)],
  ])('an invalid %s is rejected and changes nothing', async (name, value) => {
    const id = await publish(site, member)
    const response = await sendChange(site, member, id, { [name]: value })
    expect(response.statusCode).toBe(400)
    expect(await read(id)).toMatchObject({ [name]: null })
  })
})
