import { gameReviews } from '#demo/reviews/games.ts'
import { interfaceReviews } from '#demo/reviews/interface.ts'
import { motionReviews } from '#demo/reviews/motion.ts'
import { utilityReviews } from '#demo/reviews/utility.ts'
import type { DemoReview } from './types.ts'

export const demoReviews: DemoReview[] = [...utilityReviews, ...interfaceReviews, ...motionReviews, ...gameReviews]
