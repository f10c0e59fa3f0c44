import type { DemoReview } from './types.ts'

export const demoReviews: DemoReview[] = []
