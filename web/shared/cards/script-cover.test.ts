import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COVER_MOTIFS, coverArt, coverLetters } from './script-cover.tsx'

describe('coverLetters', () => {
  test.each([
    ['Double Jump', 'DJ'],
    ['spring', 'S'],
    ['  [v2] orbit-camera! ', 'VO'],
    ['3D radar', '3R'],
    ['قائمة الأدوات', 'قا'],
    ['😀😀', ''],
    ['', ''],
  ])('returns %j as %j', (title, letters) => {
    expect(coverLetters(title)).toBe(letters)
  })
})

describe('coverArt', () => {
  test('is deterministic for any title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (title) => {
        const art = coverArt(title)
        expect(coverArt(title)).toEqual(art)
        expect(art.shift).toBeGreaterThanOrEqual(0)
        expect(art.shift).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('differs between titles', () => {
    const arts = Array.from({ length: 200 }, (_, index) => coverArt(`Script ${index}`))
    expect(new Set(arts.map((art) => art.key)).size).toBe(200)
    expect(new Set(arts.map((art) => art.motif))).toEqual(new Set(COVER_MOTIFS))
    expect(new Set(arts.map((art) => art.from)).size).toBeGreaterThan(5)
  })
})
