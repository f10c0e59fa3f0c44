import { describe, expect, test } from 'vitest'
import { EMPTY_VALUES, type ScriptValues } from '#web/features/script-edit/form/values.ts'
import { deriveEdit, type EditForm, type EditState, openForm, reduceEdit } from './edit-state.ts'

const base: ScriptValues = {
  ...EMPTY_VALUES,
  title: 'Lamp',
  description: 'Lights up.',
  version: '1.0.0',
  script_content: 'print(1)',
}
const edit: EditState = {
  base,
  baseUpdatedAt: '2026-11-01T00:00:00.000Z',
  values: base,
  changelog: '',
  authorId: 1,
  usedVersions: ['1.0.0'],
  isVersionTyped: false,
  isHidden: false,
  isRestored: false,
  conflict: undefined,
  other: undefined,
}
const form: EditForm = openForm(edit)
const change = (state: EditForm, fields: Partial<ScriptValues>) => reduceEdit(state, { type: 'change', fields })

describe('a change', () => {
  test('clears the errors of its fields only, and the sign of an earlier save', () => {
    const failed: EditForm = { ...form, phase: 'saved', errors: { title: 'A', summary: 'B' } }
    const next = change(failed, { title: 'Torch' })
    expect(next.edit.values.title).toBe('Torch')
    expect(next.errors).toEqual({ title: undefined, summary: 'B' })
    expect(next.phase).toBe('idle')
  })

  test('keeps the form being sent', () => {
    const sending = reduceEdit(form, { type: 'send' })
    expect(change(sending, { title: 'Torch' }).phase).toBe('saving')
    expect(reduceEdit(sending, { type: 'changelog', text: 'x' }).phase).toBe('saving')
  })

  test('of the version number ends the proposal of the next one', () => {
    const withCode = change(form, { script_content: 'print(2)' })
    expect(deriveEdit(withCode.edit)).toMatchObject({ isNewVersion: true, values: { version: '1.0.1' } })
    const typed = change(change(withCode, { version: '2.0.0' }), { title: 'Torch' })
    expect(deriveEdit(typed.edit).sent.version).toBe('2.0.0')
  })
})

test('without new code, the current version number is sent', () => {
  const { edit: changed } = change(form, { title: 'Torch' })
  expect(deriveEdit(changed)).toMatchObject({ changed: ['title'], isNewVersion: false, sent: { version: '1.0.0' } })
})

test('a rejected image adds to the errors; a failure replaces them', () => {
  const rejected = reduceEdit({ ...form, errors: { title: 'A' } }, { type: 'reject', errors: { image: 'B' } })
  expect(rejected.errors).toEqual({ title: 'A', image: 'B' })
  expect(reduceEdit(rejected, { type: 'fail', message: 'C', errors: { tags: 'D' } })).toMatchObject({
    phase: 'failed',
    failure: 'C',
    errors: { tags: 'D' },
  })
})

test('a newer state of the script is merged with what was typed, and asks about fields that both changed', () => {
  const typed = change(change(form, { title: 'Torch' }), { summary: 'Bright.' })
  const newer = {
    base: { ...base, title: 'Lantern', description: 'Glows.' },
    baseUpdatedAt: '2026-11-02T00:00:00.000Z',
    usedVersions: ['1.0.0'],
  }
  const rebased = reduceEdit(typed, { type: 'rebase', newer })
  expect(rebased.phase).toBe('idle')
  expect(rebased.edit.values).toMatchObject({ title: 'Torch', summary: 'Bright.', description: 'Glows.' })
  const chosen = reduceEdit(rebased, { type: 'choose', name: 'title', side: 'theirs' })
  expect(chosen.edit.values).toMatchObject({ title: 'Lantern', summary: 'Bright.' })
})

test('a choice without a conflict changes nothing', () => {
  expect(reduceEdit(form, { type: 'choose', name: 'title', side: 'theirs' }).edit).toBe(edit)
})

test('discarding returns to the saved values', () => {
  const typed = reduceEdit(change(form, { title: 'Torch', version: '3' }), { type: 'changelog', text: 'x' })
  expect(reduceEdit({ ...typed, errors: { title: 'A' } }, { type: 'discard' })).toEqual(form)
})
