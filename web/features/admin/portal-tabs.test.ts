import { expect, test } from 'vitest'
import { readPlace, tabAddress, TABS } from './portal-tabs.ts'

const below = (address: string) => address.slice('/admin/'.length)

test('each tab has an address of its own that leads back to it', () => {
  for (const tab of TABS) {
    expect(readPlace(below(tabAddress(tab)))).toEqual({ tab })
  }
})

test('a member has a page below the users', () => {
  expect(readPlace('users/12')).toEqual({ tab: 'users', memberId: 12 })
})

test.each([
  'nothing',
  'dashboard',
  'constructor',
  'scripts/1',
  'users/0',
  'users/',
  'users/1/2',
  'users/12x',
  'users/99999999999',
])('%s names nothing', (address) => {
  expect(readPlace(address)).toBeUndefined()
})
