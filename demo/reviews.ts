import { gameReviews } from './reviews/games.ts'
import { interfaceReviews } from './reviews/interface.ts'
import { motionReviews } from './reviews/motion.ts'
import { utilityReviews } from './reviews/utility.ts'
import type { DemoReview } from './types.ts'

export const demoReviews: DemoReview[] = [...utilityReviews, ...interfaceReviews, ...motionReviews, ...gameReviews]
