import type { DemoScript } from '../types.ts'

export const utilityScripts: DemoScript[] = []
