import { describe, expect, test } from 'vitest'
import { readCodeFile } from './code-file.ts'
import { countLines } from './count-lines.ts'

const read = (name: string, content: Uint8Array<ArrayBuffer> | string) => readCodeFile(new File([content], name))

describe('readCodeFile', () => {
  test.each(['a.lua', 'a.LUAU', 'a.b.txt'])('reads %s with its line breaks made alike', async (name) => {
    expect(await read(name, 'a\r\nb\rc\n')).toEqual({ code: 'a\nb\nc\n' })
  })

  test('refuses other files, what is too large, and what is no text', async () => {
    expect(await read('a.exe', '')).toEqual({ refusal: 'Please choose a .lua, .luau or .txt file.' })
    expect(await read('a.lua', 'x'.repeat(1_048_577))).toEqual({ refusal: 'The file is larger than 1 MiB.' })
    expect(await read('a.lua', new Uint8Array([0xff, 0xfe, 0x41]))).toEqual({
      refusal: 'The file is not text in UTF-8.',
    })
    expect(await read('a.lua', 'x'.repeat(1_048_576))).toHaveProperty('code')
  })
})

test.each([
  ['', 0],
  ['a', 1],
  ['a\n', 1],
  ['a\n\n', 2],
  ['\n', 1],
  ['a\nb', 2],
])('%j has %d lines', (text, lines) => {
  expect(countLines(text)).toBe(lines)
})
