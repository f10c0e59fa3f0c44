import { expect, test } from 'vitest'
import type { BlockedMember } from '#contract/blocks.ts'
import type { Api } from '#web/lib/client.ts'
import { loadBlocked, readBlocked } from './blocked-members.ts'

const listOf = (...names: string[]): BlockedMember[] =>
  names.map((name, i) => ({ user_id: i + 1, name, slug: name, avatar_url: '', blocked_at: '2026-01-01T00:00:00Z' }))

/** An API whose responses arrive when the test says so. */
function openApi() {
  const requests: PromiseWithResolvers<{ members: BlockedMember[] }>[] = []
  const api = () => {
    const request = Promise.withResolvers<{ members: BlockedMember[] }>()
    requests.push(request)
    return request.promise
  }
  return { api: api as unknown as Api, requests }
}

test('the response to the last request counts, whatever the order', async () => {
  const { api, requests } = openApi()
  const loads = [loadBlocked(api, 1), loadBlocked(api, 1)]
  requests[1]?.resolve({ members: listOf('lin', 'ada') })
  await loads[1]
  requests[0]?.resolve({ members: listOf('lin') })
  await Promise.all(loads)
  expect(readBlocked()).toEqual({ memberId: 1, members: listOf('lin', 'ada') })
})

test('a known list stays when loading it again fails, but not for another member', async () => {
  const { api, requests } = openApi()
  const load = async (memberId: number, members?: BlockedMember[]) => {
    const loading = loadBlocked(api, memberId)
    if (members) requests.at(-1)?.resolve({ members })
    else requests.at(-1)?.reject(new Error('offline'))
    await loading
    return readBlocked().members
  }
  expect(await load(2, listOf('lin'))).toEqual(listOf('lin'))
  expect(await load(2)).toEqual(listOf('lin'))
  expect(await load(3)).toBeNull()
})
