/** Characters that XML 1.0 forbids, also as references, and surrogates without their partner. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu
const MARKUP = /[&<>"']/g
const REFERENCES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text without the characters that XML cannot represent. */
export const removeForbidden = (text: string): string => text.replaceAll(FORBIDDEN, '')

/** Text for the content or an attribute of an element, in XML and HTML. Leaves out what XML cannot represent. */
export function escapeXml(text: string): string {
  return removeForbidden(text).replaceAll(MARKUP, (character) => REFERENCES[character] ?? '')
}

type Attributes = Readonly<Record<string, string | number | undefined>>

/** An element of XML. Attributes are escaped, undefined ones left out; the content is XML. */
export function element(name: string, attributes: Attributes = {}, content = ''): string {
  let tag = name
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) tag += ` ${key}="${escapeXml(String(value))}"`
  }
  return content === '' ? `<${tag}/>` : `<${tag}>${content}</${name}>`
}

export const textElement = (name: string, text: string, attributes: Attributes = {}): string =>
  element(name, attributes, escapeXml(text))

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
