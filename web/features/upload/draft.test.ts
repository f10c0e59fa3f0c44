import { describe, expect, test } from 'vitest'
import { EMPTY_VALUES } from '#web/components/script-form/values.ts'
import { reviveDraft } from './draft.ts'

describe('reviveDraft', () => {
  test('gives back what was kept, with the picture', () => {
    const image = new Blob(['x'])
    const kept = { key: 'k', values: { ...EMPTY_VALUES, title: 'T', tags: ['a'] } }
    expect(reviveDraft(kept, image)).toEqual({ key: 'k', values: { ...kept.values, image } })
  })

  test('keeps what it knows of an older page and leaves the rest', () => {
    const kept = { key: 'k', values: { title: 'T', is_free: 'yes', tags: [1], gone: true } }
    expect(reviveDraft(kept, undefined)?.values).toEqual({ ...EMPTY_VALUES, title: 'T' })
  })

  test.each([undefined, null, 'x', {}, { key: 'k' }, { key: 1, values: {} }, { key: 'k', values: EMPTY_VALUES }])(
    'finds nothing in %j',
    (kept) => {
      expect(reviveDraft(kept, undefined)).toBeUndefined()
    },
  )
})
