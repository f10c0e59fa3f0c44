import { expect, test } from 'vitest'
import { shortcutOf } from './shortcuts.ts'

const none = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }

test.each([
  ['/', {}, 'search'],
  ['/', { shiftKey: true }, 'search'],
  ['k', { ctrlKey: true }, 'search'],
  ['k', { metaKey: true }, 'search'],
  ['?', { shiftKey: true }, 'help'],
  ['c', {}, 'C'],
  ['F', {}, 'F'],
  ['c', { ctrlKey: true }, undefined],
  ['c', { metaKey: true }, undefined],
  ['f', { altKey: true }, undefined],
  ['F', { shiftKey: true }, undefined],
  ['/', { ctrlKey: true }, undefined],
  ['k', { ctrlKey: true, altKey: true }, undefined],
  ['Enter', {}, undefined],
  ['1', {}, undefined],
] as const)('%s with %o is %s', (key, modifiers, shortcut) => {
  expect(shortcutOf({ ...none, key, ...modifiers })).toBe(shortcut)
})
