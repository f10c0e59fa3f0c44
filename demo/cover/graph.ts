import { drawCircle, drawGlow, drawLine, repeat } from './brush.ts'
import type { Motif, Point } from './brush.ts'

function distance(first: Point, second: Point): number {
  return Math.hypot(first.x - second.x, first.y - second.y)
}

/** Machines that talk to each other. */
export const drawGraph: Motif = ({ dice, palette }) => {
  const nodes: Point[] = []
  // Dart throwing: a node that would land too close to another is thrown again.
  for (let attempt = 0; attempt < 400 && nodes.length < 26; attempt += 1) {
    const node = { x: dice.between(70, 1210), y: dice.between(60, 660) }
    if (nodes.every((other) => distance(node, other) > 128)) nodes.push(node)
  }
  const edges = nodes.flatMap((node, index) =>
    nodes
      .slice(index + 1)
      .filter((other) => distance(node, other) < 240)
      .map((other) => {
        const isBusy = dice.next() < 0.22
        const style = isBusy
          ? `stroke="${palette.spark}" stroke-width="5" stroke-dasharray="3 15" stroke-linecap="round"`
          : `stroke="${palette.main}" stroke-width="3" stroke-opacity=".5"`
        return drawLine(node, other, style)
      }),
  )
  const spots = repeat(nodes.length, (index) => {
    const node = nodes[index] ?? { x: 0, y: 0 }
    const size = index % 6 === 0 ? dice.between(34, 46) : dice.between(11, 23)
    const isHub = index % 6 === 0
    return (
      drawGlow(node.x, node.y, size * 3, isHub ? 0.9 : 0.5) +
      drawCircle(
        node.x,
        node.y,
        size,
        isHub ? 'fill="url(#metal)"' : `fill="${index % 4 === 1 ? palette.spark : palette.light}"`,
      ) +
      (isHub ? drawCircle(node.x, node.y, size * 0.42, `fill="${palette.night}"`) : '')
    )
  })
  return edges.join('') + spots
}
