import { drawBars } from './bars.ts'
import { drawBlocks } from './blocks.ts'
import type { Motif } from './brush.ts'
import { drawBubbles } from './bubbles.ts'
import { drawCards } from './cards.ts'
import { drawCodeLines } from './code-lines.ts'
import { drawDawn } from './dawn.ts'
import { drawGraph } from './graph.ts'
import { drawHexes } from './hexes.ts'
import { drawKeyframes } from './keyframes.ts'
import { drawOrbits } from './orbits.ts'
import { drawPanels } from './panels.ts'
import { drawPixels } from './pixels.ts'
import { drawPulse } from './pulse.ts'
import { drawRadar } from './radar.ts'
import { hashText } from './random.ts'
import { drawRibbons } from './ribbons.ts'
import { drawRidges } from './ridges.ts'
import { drawShards } from './shards.ts'
import { drawSlots } from './slots.ts'

/** Most specific tags first: the first one that a script has decides. */
const motifsByTag: [tag: string, motifs: [Motif, ...Motif[]]][] = [
  ['lighting', [drawDawn]],
  ['light', [drawDawn]],
  ['lobby', [drawRibbons]],
  ['loader', [drawCards]],
  ['chat', [drawBubbles]],
  ['dialogue', [drawBubbles]],
  ['events', [drawPulse]],
  ['cutscene', [drawKeyframes]],
  ['teleport', [drawPulse, drawHexes]],
  ['camera', [drawOrbits, drawKeyframes, drawRibbons]],
  ['debug', [drawRadar, drawBars]],
  ['inventory', [drawSlots]],
  ['obby', [drawBlocks, drawRidges]],
  ['movement', [drawRidges, drawShards]],
  ['networking', [drawGraph]],
  ['npc', [drawGraph, drawShards]],
  ['math', [drawRibbons]],
  ['combat', [drawShards]],
  ['leaderboard', [drawBars]],
  ['arcade', [drawPixels]],
  ['rounds', [drawBlocks, drawHexes]],
  ['game', [drawPixels, drawCards]],
  ['ui', [drawPanels]],
  ['memory', [drawHexes]],
  ['performance', [drawBars]],
  ['async', [drawPulse]],
  ['data', [drawHexes]],
  ['server', [drawGraph, drawHexes]],
  ['utility', [drawCodeLines]],
]

const general: [Motif, ...Motif[]] = [
  drawCodeLines,
  drawOrbits,
  drawRidges,
  drawBlocks,
  drawRibbons,
  drawShards,
  drawHexes,
]

export function chooseMotif(title: string, tags: string[]): Motif {
  const found = motifsByTag.find(([tag]) => tags.includes(tag))
  const motifs = found ? found[1] : general
  return motifs[hashText(title) % motifs.length] ?? motifs[0]
}
