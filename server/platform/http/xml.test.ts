import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { expect, test } from 'vitest'
import { element, escapeXml, textElement } from './xml.ts'

/** The text and the attribute that a strict parser reads. Throws if the document is not well-formed. */
function parse(xml: string): { text: string; attribute: string } {
  const read = { text: '', attribute: '' }
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('text', (text) => (read.text += text))
  parser.on('opentag', ({ attributes }) => (read.attribute = attributes['a'] ?? ''))
  parser.write(xml).close()
  return read
}

test('any text survives, without the characters that XML forbids', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { text: read } = parse(textElement('x', text))
      // Parsers read every kind of line break as a newline.
      const allowed = text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
      expect(read).toBe(allowed.replaceAll(/\r\n?/g, '\n'))
    }),
    { numRuns: 100 },
  )
})

test.each(['\0', '\u0001', '\u001F', '\uFFFE', '\uFFFF', '\uD800', '\uDC00'])('leaves out %j', (character) => {
  expect(escapeXml(`a${character}b`)).toBe('ab')
})

test('keeps tabs, line breaks and characters outside of the first plane', () => {
  expect(escapeXml('a\t\n😀')).toBe('a\t\n😀')
})

test('escapes attributes and leaves out undefined ones', () => {
  const xml = element('x', { a: `"<&>'`, b: undefined, c: 1 })
  expect(xml).toBe('<x a="&quot;&lt;&amp;&gt;&#39;" c="1"/>')
  expect(parse(xml).attribute).toBe(`"<&>'`)
})
