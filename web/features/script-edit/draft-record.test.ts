import { describe, expect, test } from 'vitest'
import { EMPTY_VALUES } from '#web/features/script-edit/form/values.ts'
import { reviveDraft } from './draft-record.ts'

describe('reviveDraft', () => {
  test('restores the values and the image', () => {
    const image = new Blob(['x'])
    const stored = { key: 'k', values: { ...EMPTY_VALUES, title: 'T', tags: ['a'] } }
    expect(reviveDraft(stored, image)).toMatchObject({ key: 'k', values: { ...stored.values, image } })
  })

  test('ignores unknown fields and wrong types from an older release', () => {
    const stored = { key: 'k', values: { title: 'T', is_free: 'yes', tags: [1], gone: true } }
    expect(reviveDraft(stored, undefined)?.values).toEqual({ ...EMPTY_VALUES, title: 'T' })
  })

  test('restores what this browser knows about the copy in the account', () => {
    const stored = { key: 'k', values: { ...EMPTY_VALUES, title: 'T' } }
    const server = { updatedAt: '2026-11-29T10:00:00.000Z', isSame: true }
    expect(reviveDraft({ ...stored, savedAt: 5, server }, '')).toMatchObject({ savedAt: 5, server })
    expect(reviveDraft(stored, '')).toMatchObject({ savedAt: 0, server: { updatedAt: null, isSame: false } })
  })

  test('restores the declaration', () => {
    const values = { ...EMPTY_VALUES, title: 'T', declared_capabilities: ['net.get'], declared_hosts: 'a.example' }
    expect(reviveDraft({ key: 'k', values }, undefined)?.values).toEqual(values)
    const broken = { ...values, declared_capabilities: [1] }
    expect(reviveDraft({ key: 'k', values: broken }, undefined)?.values.declared_capabilities).toBeNull()
  })

  test('restores screenshots with their descriptions, as far as both are stored', () => {
    const [first, second] = [new Blob(['1']), new Blob(['2'])]
    const stored = { key: 'k', values: { ...EMPTY_VALUES, screenshots: ['The menu', 'The shop'] } }
    expect(reviveDraft(stored, '', [first, second])?.values.screenshots).toEqual([
      { image: first, alt: 'The menu' },
      { image: second, alt: 'The shop' },
    ])
    expect(reviveDraft(stored, '', [first, second, first])?.values.screenshots).toHaveLength(2)
    expect(reviveDraft(stored, '', ['x', second])?.values.screenshots).toEqual([{ image: second, alt: 'The shop' }])
    expect(reviveDraft(stored, '', undefined)).toBeUndefined()
  })

  test.each([undefined, null, 'x', {}, { key: 'k' }, { key: 1, values: {} }, { key: 'k', values: EMPTY_VALUES }])(
    'returns undefined for %j',
    (stored) => {
      expect(reviveDraft(stored, undefined)).toBeUndefined()
    },
  )
})
