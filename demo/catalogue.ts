import { utilityScripts } from './catalogue/utility.ts'
import type { DemoScript } from './types.ts'

export const demoScripts: DemoScript[] = [...utilityScripts]
