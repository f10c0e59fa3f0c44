import { describe, expect, test } from 'vitest'
import type { Draft } from '#contract/drafts.ts'
import { EMPTY_VALUES, type ScriptValues } from '#web/features/script-edit/form/values.ts'
import { NO_COPY } from './draft-sync.ts'
import { chooseEdit, fromStored, type LocalEdit, reviveEdit, toEditContent } from './edit-draft.ts'
import { type EditState, openForm, reduceEdit, restoreEdit } from './edit-state.ts'

const OPENED = '2026-11-29T10:00:00.000Z'
const CHANGED = '2026-11-29T11:00:00.000Z'
const base: ScriptValues = { ...EMPTY_VALUES, title: 'Lamp', version: '1.0.0', script_content: 'print(1)' }
const edit: EditState = {
  base,
  baseUpdatedAt: OPENED,
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
const mine = { ...edit, values: { ...base, title: 'Torch', script_content: 'print(2)' }, changelog: 'Brighter.' }
const stored: Draft = { key: '7', script_id: 7, updated_at: CHANGED, content: toEditContent(mine) }

test('the account stores the changed fields, and of the code only the new one', () => {
  expect(stored.content).toEqual({
    values: { title: 'Torch', script_content: 'print(2)' },
    base: { title: 'Lamp' },
    base_updated_at: OPENED,
    changelog: 'Brighter.',
  })
})

test('on another device the changes are restored', () => {
  const draft = fromStored(stored, base, OPENED)
  expect(restoreEdit(edit, draft)).toMatchObject({ values: mine.values, changelog: 'Brighter.', conflict: undefined })
})

test('code that was published since has to be chosen, and other fields are merged', () => {
  const newer = { ...edit, baseUpdatedAt: CHANGED, base: { ...base, summary: 'Shines.', script_content: 'print(3)' } }
  const restored = restoreEdit(newer, fromStored(stored, newer.base, newer.baseUpdatedAt))
  expect(restored.values).toMatchObject({ title: 'Torch', summary: 'Shines.' })
  expect(restored.conflict?.fields).toEqual(['script_content'])
  expect(restored.conflict?.choices).toEqual({})
})

describe('of the changes in this browser and those of another device', () => {
  const here = { ...mine, values: { ...mine.values, title: 'Candle' } }
  const local: LocalEdit = { ...here, savedAt: Date.parse(CHANGED) - 1, server: { updatedAt: OPENED, isSame: false } }

  test('the newer are shown, and the older are offered', () => {
    expect(chooseEdit(local, stored, edit)).toMatchObject({
      draft: { values: { title: 'Torch' } },
      other: { from: 'browser' },
    })
    const later = { ...local, savedAt: Date.parse(CHANGED) + 1 }
    expect(chooseEdit(later, stored, edit)).toMatchObject({
      draft: later,
      other: { from: 'device', changedAt: CHANGED },
    })
  })

  test('those of the device are shown if nothing was changed here since', () => {
    const same = { ...local, server: { updatedAt: OPENED, isSame: true } }
    expect(chooseEdit(same, stored, edit)).toMatchObject({ server: { updatedAt: CHANGED }, other: undefined })
    expect(chooseEdit(undefined, stored, edit).draft).toEqual(fromStored(stored, base, OPENED))
  })

  test('nothing is offered if the response to this browser was lost', () => {
    expect(chooseEdit({ ...local, values: mine.values }, stored, edit)).toMatchObject({
      server: { updatedAt: CHANGED, isSame: true },
      other: undefined,
    })
  })

  test('those here go on without a connection', () => {
    expect(chooseEdit(local, undefined, edit)).toEqual({ draft: local, server: local.server, other: undefined })
  })
})

test('the offered changes are swapped with those in the form, and back', () => {
  const other = { draft: fromStored(stored, base, OPENED), changedAt: CHANGED, from: 'device' as const }
  const form = openForm({ ...edit, values: { ...base, title: 'Here' }, other })
  const swapped = reduceEdit(form, { type: 'swap', changedAt: OPENED })
  expect(swapped.edit.values.title).toBe('Torch')
  expect(swapped.edit.other).toMatchObject({ from: 'browser', changedAt: OPENED })
  expect(reduceEdit(swapped, { type: 'swap', changedAt: CHANGED }).edit.values.title).toBe('Here')
})

test('changes of an older release are restored, and anything else is ignored', () => {
  const { base: before, baseUpdatedAt, values, changelog } = mine
  const old = { base: before, baseUpdatedAt, values, changelog }
  expect(reviveEdit(old)).toEqual({ ...old, savedAt: 0, server: NO_COPY })
  for (const broken of [undefined, 'x', {}, { base: {}, values: {} }]) expect(reviveEdit(broken)).toBeUndefined()
})
