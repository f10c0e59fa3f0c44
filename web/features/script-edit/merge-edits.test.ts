import { describe, expect, test } from 'vitest'
import { EMPTY_VALUES, type ScriptValues } from '#web/features/script-edit/form/values.ts'
import { findConflict, mergeEdits, openFields } from './merge-edits.ts'

const base: ScriptValues = { ...EMPTY_VALUES, title: 'Base', description: 'Base', tags: ['base'] }

describe('two edits of the same state', () => {
  test('are combined when they changed different fields', () => {
    const conflict = findConflict(base, { ...base, title: 'Mine' }, { ...base, description: 'Theirs' })
    expect(openFields(conflict)).toEqual([])
    expect(mergeEdits(conflict)).toMatchObject({ title: 'Mine', description: 'Theirs' })
  })

  test('need a choice for a field that both changed differently', () => {
    const conflict = findConflict(base, { ...base, title: 'Mine' }, { ...base, title: 'Theirs' })
    expect(openFields(conflict)).toEqual(['title'])
    expect(mergeEdits(conflict).title).toBe('Mine')
    expect(mergeEdits({ ...conflict, choices: { title: 'theirs' } }).title).toBe('Theirs')
  })

  test('do not conflict when both made the same change', () => {
    const conflict = findConflict(base, { ...base, tags: ['new'] }, { ...base, tags: ['new'] })
    expect(conflict.fields).toEqual([])
  })

  test('clear the game when they made the script universal', () => {
    const specific = { ...base, is_universal: false, game_id: '7' }
    const conflict = findConflict(
      specific,
      { ...specific, title: 'Mine' },
      { ...specific, is_universal: true, game_id: '' },
    )
    expect(mergeEdits(conflict)).toMatchObject({ title: 'Mine', is_universal: true, game_id: '' })
  })
})
