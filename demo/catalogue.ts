import { behaviorScripts } from '#demo/catalogue/behavior.ts'
import { gameScripts } from '#demo/catalogue/games.ts'
import { interfaceScripts } from '#demo/catalogue/interface.ts'
import { itemScripts } from '#demo/catalogue/items.ts'
import { motionScripts } from '#demo/catalogue/motion.ts'
import { utilityScripts } from '#demo/catalogue/utility.ts'
import type { DemoScript } from './types.ts'

export const demoScripts: DemoScript[] = [
  ...utilityScripts,
  ...interfaceScripts,
  ...motionScripts,
  ...itemScripts,
  ...gameScripts,
  ...behaviorScripts,
]
