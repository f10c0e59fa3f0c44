import { gameScripts } from './catalogue/games.ts'
import { interfaceScripts } from './catalogue/interface.ts'
import { itemScripts } from './catalogue/items.ts'
import { motionScripts } from './catalogue/motion.ts'
import { utilityScripts } from './catalogue/utility.ts'
import type { DemoScript } from './types.ts'

export const demoScripts: DemoScript[] = [
  ...utilityScripts,
  ...interfaceScripts,
  ...motionScripts,
  ...itemScripts,
  ...gameScripts,
]
