import { expect, test } from 'vitest'
import { withCount } from './staff-layout.tsx'

const JOBS = { id: 'jobs', label: 'Jobs', to: '/admin/jobs', work: 'failed_jobs' } as const
const TAB = { id: 'jobs', label: 'Jobs', to: '/admin/jobs' }
const NOTHING = { cases: 0, held_versions: 0, failed_jobs: 0 }

test('a tab has the number of what waits behind it, up to 99', () => {
  const failed = (failed_jobs: number) => withCount(JOBS, { ...NOTHING, failed_jobs })
  expect(failed(3)).toEqual({ ...TAB, count: { text: '3', description: 'failed' } })
  expect(failed(99)).toMatchObject({ count: { text: '99' } })
  expect(failed(100)).toMatchObject({ count: { text: '99+' } })
  expect(withCount({ ...JOBS, work: 'cases' }, { ...NOTHING, cases: 1 })).toMatchObject({
    count: { text: '1', description: 'waiting' },
  })
})

test('a tab has no number if nothing waits, if it is unknown, and if none belongs to the tab', () => {
  expect(withCount(JOBS, NOTHING)).toEqual(TAB)
  expect(withCount(JOBS, undefined)).toEqual(TAB)
  expect(withCount(JOBS, { ...NOTHING, failed_jobs: null })).toEqual(TAB)
  expect(withCount(TAB, { ...NOTHING, cases: 5 })).toEqual(TAB)
})
