import { expect, test } from 'vitest'
import { defaultSummary } from './summary.ts'

test.each([
  ['Opens doors. And closes them.', 'Opens doors.'],
  ['Opens doors', 'Opens doors'],
  ['  Opens\ndoors\tquickly!  Really.', 'Opens doors quickly!'],
  ['Version 2.1 of doors, e.g. for lifts. More.', 'Version 2.1 of doors, e.g. for lifts.'],
  ['扉を開きます。閉じます。', '扉を開きます。'],
  ['Opens doors\n\nand closes them.', 'Opens doors'],
])('the default summary of %j is its first sentence', (description, summary) => {
  expect(defaultSummary(description)).toBe(summary)
})

test.each([
  ['# Elevator\n\nMoves **people** up and *down*.', 'Moves people up and down.'],
  ['Uses `_G` and __index with [docs](https://example.com).', 'Uses _G and __index with docs.'],
  ['![shot](/a.png)\n> Quoted __text__ here', 'Quoted text here'],
  ['```lua\nlocal a = 1\n```\nAfter the code.', 'After the code.'],
  ['Features:\n- One\n- Two', 'Features:'],
  ['- One\n- Two', 'One'],
  ['| a | b |\n|---|---|\n\nAfter the table.', 'After the table.'],
  ['## Only a heading', 'Only a heading'],
  ['```\ncode', '``` code'],
  ['***', '***'],
])('Markdown in %j is left out of the default summary', (description, summary) => {
  expect(defaultSummary(description)).toBe(summary)
})

test('a long first sentence is cut after a word, without splitting characters', () => {
  const summary = defaultSummary(`${'word '.repeat(40)}end.`)
  expect(summary).toBe(`${Array.from({ length: 28 }, () => 'word').join(' ')}…`)
  expect(Array.from(defaultSummary('😀'.repeat(200)))).toHaveLength(140)
  expect(defaultSummary('😀'.repeat(200)).isWellFormed()).toBe(true)
})

test('a description of marks only takes no time', () => {
  for (const mark of ['*', '_a ', '[', '![', '`', '> ', '**a', '(_a']) {
    expect(Array.from(defaultSummary(mark.repeat(5000))).length).toBeLessThanOrEqual(140)
  }
})
