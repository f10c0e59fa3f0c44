import type { Palette } from './palettes.ts'
import type { Dice } from './random.ts'

export const COVER_WIDTH = 1280
export const COVER_HEIGHT = 720

/**
 * What motifs draw with. Shapes use `fill-opacity` or `stroke-opacity`: librsvg gives each shape with `opacity` a canvas of
 * its own, which takes a third of the time of a cover.
 */
export interface Brush {
  dice: Dice
  palette: Palette
}

/** Draws on a canvas of 1280 x 720 and returns SVG elements. */
export type Motif = (brush: Brush) => string

export interface Point {
  x: number
  y: number
}

/** One decimal keeps the files small and cannot be seen at this size. */
export function fix(value: number): string {
  return String(Math.round(value * 10) / 10)
}

export function joinPoints(points: Point[]): string {
  return points.map((point) => `${fix(point.x)},${fix(point.y)}`).join(' ')
}

export function drawCircle(x: number, y: number, radius: number, attributes: string): string {
  return `<circle cx="${fix(x)}" cy="${fix(y)}" r="${fix(radius)}" ${attributes}/>`
}

export function drawBox(
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  attributes: string,
): string {
  const size = `width="${fix(width)}" height="${fix(height)}" rx="${fix(radius)}"`
  return `<rect x="${fix(x)}" y="${fix(y)}" ${size} ${attributes}/>`
}

export function drawLine(from: Point, to: Point, attributes: string): string {
  return `<line x1="${fix(from.x)}" y1="${fix(from.y)}" x2="${fix(to.x)}" y2="${fix(to.y)}" ${attributes}/>`
}

export function drawPolygon(points: Point[], attributes: string): string {
  return `<polygon points="${joinPoints(points)}" ${attributes}/>`
}

/** A soft spot of light; needs the gradients of background.ts. */
export function drawGlow(x: number, y: number, radius: number, opacity: number, gradient = 'glow'): string {
  return drawCircle(x, y, radius, `fill="url(#${gradient})" fill-opacity="${fix(opacity)}"`)
}

export function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('')
}
