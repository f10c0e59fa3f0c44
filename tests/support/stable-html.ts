import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node

const TAG = /<(\/?)([a-z][a-z\d]*)(?:[\s/][^>]*)?>/gi
const RAW_TEXT = /(<(script|style)\b[^>]*>)[^]*?(<\/\2>)/gi
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i
const CONTAINERS = new Set(['a', 'button', 'summary', 'label'])
const CONTROLS = new Set(['input', 'select', 'textarea'])
const INTERACTIVE = new Set([...CONTAINERS, ...CONTROLS, 'details', 'iframe'])

/** Elements that a browser builds otherwise than they were written, and controls inside of others: `a button`. */
export function findHtmlFaults(html: string): string[] {
  const document = /^<!doctype/i.test(html) ? parse(html) : parseFragment(html)
  const tags = [...html.replaceAll(RAW_TEXT, '$1$3').matchAll(TAG)]
  const written = tags.map(([, slash = '', name = '']) => (slash + name).toLowerCase())
  const built = tagsOf(document).map((tag) => tag.toLowerCase())
  const moved = built.findIndex((tag, i) => tag !== written[i])
  const isMoved = moved >= 0 || built.length !== written.length
  const nearby = tags[moved < 0 ? built.length : moved]
  return [
    ...(isMoved ? [`moved near ${html.slice(nearby?.index ?? 0).slice(0, 200)}`] : []),
    ...findNested(document, []),
  ]
}

const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])

function tagsOf(node: Node): string[] {
  const inner = childrenOf(node).flatMap(tagsOf)
  if (!('tagName' in node)) return inner
  return VOID.test(node.tagName) ? [node.tagName] : [node.tagName, ...inner, `/${node.tagName}`]
}

/** Controls inside of others, as `a button`. A label may contain the field that it names. */
function findNested(node: Node, around: readonly string[]): string[] {
  const name = 'tagName' in node ? node.tagName : ''
  const isControl = INTERACTIVE.has(name)
  const outer = isControl && around.find((tag) => CONTAINERS.has(tag) && !(tag === 'label' && CONTROLS.has(name)))
  const inside = isControl ? [...around, name] : around
  return [...(outer ? [`${outer} ${name}`] : []), ...childrenOf(node).flatMap((child) => findNested(child, inside))]
}
