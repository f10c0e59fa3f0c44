import type { BadgeMetric } from '#contract/limits.ts'
import { element, removeForbidden, textElement } from '#server/platform/http/xml.ts'
import type { Facts } from './facts.ts'

export const MAX_LABEL_LENGTH = 40
export type BadgeStyle = 'flat' | 'square'

const LABELS: Record<BadgeMetric, string> = {
  downloads: 'downloads',
  rating: 'rating',
  works: 'works',
  version: 'version',
}

// Colors of web/styles.css that are dark enough for white text.
const PURPLE = '#6d28d9'
const GREEN = '#166534'
const RED = '#be123c'
const GRAY = '#5c5570'
const LABEL_COLOR = '#2a2637'

const count = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

function describe({ card, works }: Facts, metric: BadgeMetric): { value: string; color: string } {
  switch (metric) {
    case 'downloads':
      return { value: count.format(card.download_count), color: PURPLE }
    case 'rating':
      return {
        value: `${card.rating_average.toFixed(1)}/5 (${card.rating_count > 0 ? count.format(card.rating_count) : 'new'})`,
        color: card.rating_count > 0 ? PURPLE : GRAY,
      }
    case 'works':
      if (works.total === 0) return { value: 'no votes this week', color: GRAY }
      return {
        value: `for ${count.format(works.works)} of ${count.format(works.total)}`,
        color: 2 * works.works >= works.total ? GREEN : RED,
      }
    case 'version':
      return { value: card.version, color: PURPLE }
  }
}

const HEIGHT = 20
const FONT_SIZE = 11
const PADDING = 7

/** Draws a metric as a badge 20 pixels high. The title is for screen readers; texts are fitted to measured widths. */
export function drawBadge(facts: Facts, metric: BadgeMetric, label: string | undefined, style: BadgeStyle): string {
  const { value, color } = describe(facts, metric)
  const name = label ?? LABELS[metric]
  const [left, right] = [name, value].map((text) => Math.ceil(measure(text)) + 2 * PADDING) as [number, number]
  const width = left + right
  const title = `${name}: ${value}`
  const corner = style === 'flat' ? { rx: 3 } : {}
  const box = (x: number, boxWidth: number, fill: string) =>
    element('rect', { x, width: boxWidth, height: HEIGHT, fill })
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height: HEIGHT, role: 'img', 'aria-label': title },
    textElement('title', title) +
      element('clipPath', { id: 'r' }, element('rect', { width, height: HEIGHT, fill: '#fff', ...corner })) +
      element('g', { 'clip-path': 'url(#r)' }, box(0, left, LABEL_COLOR) + box(left, right, color)) +
      element(
        'g',
        {
          fill: '#fff',
          'text-anchor': 'middle',
          'font-family': 'Inter,Verdana,Geneva,sans-serif',
          'font-size': FONT_SIZE,
        },
        writeText(name, 0, left) + writeText(value, left, right),
      ),
  )
}

const writeText = (text: string, x: number, boxWidth: number): string =>
  textElement('text', text, { x: x + boxWidth / 2, y: 14, textLength: boxWidth - 2 * PADDING })

/** Advance widths of Inter Regular for the characters from space to tilde, in thousandths of the font size. */
const WIDTHS = [
  281, 288, 466, 633, 642, 982, 644, 300, 365, 365, 501, 662, 288, 460, 288, 360, 631, 407, 610, 618, 646, 593, 620,
  566, 619, 620, 288, 302, 662, 662, 662, 511, 966, 690, 654, 730, 722, 601, 590, 746, 743, 269, 571, 672, 565, 903,
  753, 765, 639, 765, 644, 642, 646, 744, 690, 985, 682, 679, 629, 365, 360, 365, 471, 456, 323, 562, 612, 571, 612,
  583, 370, 613, 591, 242, 242, 549, 242, 876, 591, 600, 612, 612, 376, 528, 327, 591, 562, 818, 546, 562, 552, 426,
  333, 426, 662,
]
const FIRST_CODE = 32
/** Wide enough for any letter of the Latin, Greek and Cyrillic scripts. */
const OTHER_WIDTH = 700
const FULL_WIDTH = 1000
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u

/** The width in pixels of a text in XML. */
export function measure(text: string): number {
  let width = 0
  for (const character of removeForbidden(text)) {
    width += WIDTHS[(character.codePointAt(0) ?? 0) - FIRST_CODE] ?? (WIDE.test(character) ? FULL_WIDTH : OTHER_WIDTH)
  }
  return (width * FONT_SIZE) / 1000
}
