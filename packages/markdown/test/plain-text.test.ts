import { expect, test } from 'vitest'
import { plainText } from '../src/index.ts'

test.each([
  ['# Elevator\n\nA **smooth** [elevator](https://example.com/).', 'Elevator\n\nA smooth elevator.'],
  ['- one\n- two\n\n3. three\n4. four', '• one\n• two\n\n3. three\n4. four'],
  ['Run `print`:\n\n```luau\nprint(1)\n```', 'Run print:\n\nprint(1)'],
  ['![Cover](https://example.com/a.png)', 'Cover'],
  ['  plain\n\n  text  ', '  plain\n\n  text  '],
  ['a\u202eb', 'ab'],
  ['`a\u202eb`\n\n```\na\u2066b\nc\n```', 'aU+202Eb\n\naU+2066b\nc'],
])('the plain text of %j has no markup', (markdown, text) => {
  expect(plainText(markdown)).toBe(text)
})
